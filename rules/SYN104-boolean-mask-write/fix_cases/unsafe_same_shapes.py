"""Elements of another tensor at the same places."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"replaced": (torch.randn(4, 3, device=device),)}


def replaced(given: Tensor) -> Tensor:
    x, y = torch.zeros(4, 3, device=given.device), torch.ones(4, 3, device=given.device)
    mask = torch.zeros(4, 3, dtype=torch.bool, device=given.device)
    mask[1:] = True
    x[mask] = y[mask]  # where it is true
    return x + given
