"""Lists that a loop makes again and again."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"lengths": (torch.ones(2, 3, device=device), 3), "sometimes": (torch.ones(2, 3, device=device), 3, True)}


def lengths(mask: Tensor, steps: int) -> int:
    total = 0
    for step in range(steps):
        total += used(step, sizes=mask.sum(dim=1).tolist())
    return total


def sometimes(mask: Tensor, steps: int, guided: bool) -> int:
    total = 0
    for step in range(steps):
        if guided:
            total += used(step, mask.sum(dim=1).tolist())
    return total


def used(step: int, sizes: list[float]) -> int:
    return step + len(sizes)
