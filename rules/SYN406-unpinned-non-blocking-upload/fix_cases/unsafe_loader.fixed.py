"""Batches of a loader that could pin them, copied without waiting."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, TensorDataset

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    data = TensorDataset(torch.randn(8, 4))
    return {"one_epoch": (data, torch.randn(4, device=device))}


def one_epoch(data: Dataset[tuple[Tensor, ...]], weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for (images,) in DataLoader(data, batch_size=4, pin_memory=True):
        total += (images.to(weight.device, non_blocking=True) @ weight).sum()
    return total
