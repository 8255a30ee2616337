"""Lists of tensors that have one element each, of one type."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(6, 3, device=device)
    return {"sums": (x,)}


def sums(x: Tensor) -> float:
    found = [torch.ones((), device="cuda"), torch.zeros((), device="cuda")]
    return sum([one.item() for one in found])
