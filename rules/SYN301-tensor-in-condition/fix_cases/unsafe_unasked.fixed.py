"""Writes through a mask that are left out where it is false everywhere."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values = torch.rand(4, device=device)
    return {"written": (values,), "filled": (values,), "not_filled": (values - 1,)}


def written(values: Tensor) -> Tensor:
    hidden = values > 0.5
    values[hidden] = 0.0
    return values


def filled(values: Tensor) -> Tensor:
    hidden = values > 0.5
    values.masked_fill_(hidden, -1.0)
    return values


def not_filled(values: Tensor) -> Tensor:
    hidden = values > 0.5
    values[hidden] = 0.0
    return values
