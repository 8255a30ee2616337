"""Batches of a loader that could pin them."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, TensorDataset

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    data = TensorDataset(torch.randn(8, 4), torch.arange(8))
    return {"one_epoch": (data, torch.randn(4, device=device)), "numbered": (data, torch.randn(4, device=device))}


def make_loader(data: Dataset[tuple[Tensor, ...]]) -> DataLoader[tuple[Tensor, ...]]:
    return DataLoader(
        data,
        batch_size=4,  # four at a time
        shuffle=False,
    )


def one_epoch(data: Dataset[tuple[Tensor, ...]], weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for images, labels in make_loader(data):
        images = images.to(weight.device)
        labels = labels.to(device=weight.device)
        total += (images @ weight * labels).sum()
    return total


def numbered(data: Dataset[tuple[Tensor, ...]], weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    loader = DataLoader(data, 4)
    for index, batch in enumerate(loader):
        total += index * (batch[0].to(weight.device) @ weight).sum()
    return total
