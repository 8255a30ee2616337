"""Numbers that are computed, and positions that are tensors."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 3, device=device)
    return {"scaled": (x, np.array([4.0, 6.0])), "computed": (x,), "picked": (x, torch.arange(2, device=device))}


def scaled(like: Tensor, given: np.ndarray) -> Tensor:
    theta = torch.eye(2, 3, device=like.device)
    theta[0, 0].fill_(0.5 * given[0])
    return theta


def computed(x: Tensor) -> Tensor:
    theta = torch.zeros(4, 3, device=x.device)
    theta[0, 0].fill_(0.5 * x.shape[0])  # a number
    return x + theta


def picked(x: Tensor, rows: Tensor) -> Tensor:
    weights = torch.zeros(4, 1, device=x.device)
    weights[rows.long()] = weights.new_full((), 1.0)
    return x * weights
