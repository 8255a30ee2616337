"""Factors of which it is asked whether they do anything."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"clipped": (torch.rand(4, device=device), 2.0), "multiplied": (torch.rand(4, device=device), True)}


def clipped(values: Tensor, loss_scale: float) -> Tensor:
    scale = loss_scale
    clip = values.norm() / 0.5
    scale = clip.clamp(min=1) * loss_scale
    return values / scale


def multiplied(values: Tensor, is_clipped: bool) -> Tensor:
    factor = values.norm() if is_clipped else 1.0
    if torch.is_tensor(factor) or factor != 1.0:
        values = values * factor
    return values
