"""Batches of a loader that makes them in its own way, or pins them where it is asked for."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset, default_collate

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    weight = torch.randn(4, device=device)
    data = TensorDataset(torch.randn(8, 4))
    return {"own_batches": (data, default_collate, weight), "pinned_where_it_is_asked_for": (data, True, weight)}


def own_batches(data, collate, weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for (images,) in DataLoader(data, batch_size=4, collate_fn=collate, pin_memory=True):
        total += (images.to(weight.device, non_blocking=True) @ weight).sum()
    return total


def pinned_where_it_is_asked_for(data, pin: bool, weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for (images,) in DataLoader(data, batch_size=4, pin_memory=pin):
        total += (images.to(weight.device, non_blocking=True) @ weight).sum()
    return total
