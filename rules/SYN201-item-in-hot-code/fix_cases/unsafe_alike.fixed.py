"""Lists of tensors that have one element each, of one type."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(6, 3, device=device)
    return {"counts": (x, 3)}


def counts(x: Tensor, groups: int) -> list[int]:
    found = [torch.zeros(1, dtype=torch.int32, device="cuda") for _ in range(groups)]
    found = torch.cat(found).tolist()
    return found
