"""Numbers at single positions."""

from __future__ import annotations

import torch
from torch import Tensor

TORCH = "2.12.0"


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 3, device=device)
    return {"corners": (x,), "picked": (x, torch.arange(2, device=device))}


def corners(x: Tensor) -> Tensor:
    theta = torch.zeros(4, 3, device=x.device)
    theta[0, 0].fill_(0.5 * x.shape[0])  # a number
    theta[1, -1].fill_(2)
    return x + theta


def picked(x: Tensor, rows: Tensor) -> Tensor:
    weights = torch.zeros(4, 1, device=x.device)
    weights[rows.long()] = weights.new_full((), 1.0)
    return x * weights
