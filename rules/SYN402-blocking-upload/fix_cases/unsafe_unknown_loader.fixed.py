"""Batches of a loader of which only the name is known."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    batch = torch.randn(8, 4)
    batches = [(batch.pin_memory() if device.type == "cuda" else batch,)]
    weight = torch.randn(4, device=device)
    return {"one_epoch": (batches, weight), "converted": (batches, weight.to(torch.float16).float())}


def one_epoch(train_loader, weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for (images,) in train_loader:
        images = images.pin_memory().to(weight.device, non_blocking=True)
        total += (images @ weight).sum()
    return total


def converted(train_loader, weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for (images,) in train_loader:
        images = images.pin_memory().to(device=weight.device, non_blocking=True).to(
            dtype=weight.dtype
        )
        total += (images @ weight).sum()
    return total


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
