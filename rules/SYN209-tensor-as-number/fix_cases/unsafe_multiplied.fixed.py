"""Factors that are tensors of the device."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values = torch.rand(4, device=device)
    return {"scaled": (values, values * 2, torch.rand((), device=device))}


def scaled(values: Tensor, other: Tensor, rate: Tensor) -> Tensor:
    rate = rate.sum()
    values.add_(other * (-2 * rate))
    values.addcmul_(other * rate, other)
    return values
