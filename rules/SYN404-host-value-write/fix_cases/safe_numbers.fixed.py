"""Numbers at single positions."""

from __future__ import annotations

import torch
from torch import Tensor

TORCH = "2.12.0"


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 3, device=device)
    return {"corners": (x,)}


def corners(x: Tensor) -> Tensor:
    theta = torch.zeros(4, 3, device=x.device)
    theta[0, 0].fill_(-0.5)  # a number
    theta[1, -1].fill_(2)
    return x + theta
