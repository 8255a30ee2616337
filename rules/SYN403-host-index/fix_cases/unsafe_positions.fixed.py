"""Positions in several tensors on the CPU."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"of_pairs": (torch.rand(4, 3, device=device), 2)}


def of_pairs(values: Tensor, count: int) -> Tensor:
    places = (torch.arange(count), torch.arange(count) + 1)
    return values[
        tuple(one.pin_memory().to(values.device, non_blocking=True) for one in places)
    ] * 2
