"""Elements of an array of NumPy: neither way takes an array, and both take a number."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"scaled": (torch.rand(2, 3, device=device), np.array([4.0, 6.0]))}


def scaled(like: Tensor, given: np.ndarray) -> Tensor:
    theta = torch.eye(2, 3, device=like.device)
    theta[0, 0] = 0.5 * given[0]
    return theta
