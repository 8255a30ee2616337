"""Numbers of the device that are read in a loop to be kept in a list."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    batches = [torch.rand(4), torch.rand(4)]
    return {"losses": (batches, torch.rand(4, device=device, requires_grad=True)), "of_nothing": (batches,)}


def losses(batches: list[Tensor], weight: Tensor) -> list[float]:
    history = []
    for batch in batches:
        loss = (batch.pin_memory().cuda(non_blocking=True).float() * weight).sum()
        history.append(loss.item())
    return history


def of_nothing(batches: list[Tensor]) -> list[float]:
    sums = []
    for part in (batches, batches[:0]):
        found = []
        for batch in part:
            found.append(batch.pin_memory().cuda(non_blocking=True).float().mean().item())
        sums.append(sum(found))
    return sums
