"""Norms that are returned, unless they are not finite."""

from __future__ import annotations

import math

import torch
from torch import Tensor

DIFFERS = {
    "clipping_norm": "the norm is a tensor",
    "finite_loss": "the loss is a tensor",
    "finite_or_zero": "the sum is a tensor",
}


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values = math.pi * torch.rand(6, device=device)
    return {"clipping_norm": (values, 2.0), "finite_loss": (values,), "finite_or_zero": (values,)}


def clipping_norm(gradient: Tensor, kind: float) -> float:
    norm = (gradient.abs() ** kind).sum().detach() ** (1.0 / kind)
    norm = norm.where(norm.isfinite(), -1)
    return norm


def finite_loss(losses: Tensor) -> float:
    loss = losses.mean().detach()
    # Whoever logs it wants a number.
    loss = loss.where(loss.isfinite(), 0.0)
    return loss


def finite_or_zero(values: Tensor) -> float:
    total = values.sum().detach()
    total = total.where(total.isfinite(), 0.0)
    return total
