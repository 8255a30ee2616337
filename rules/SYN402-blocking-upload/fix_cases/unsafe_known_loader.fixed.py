"""Batches of a loader that could pin them: its data are on the CPU for certain."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"one_epoch": (torch.randn(4, device=device),), "numbered": (torch.randn(4, device=device),)}


def one_epoch(weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    loader = DataLoader(
        TensorDataset(torch.ones(8, 4, device="cpu"), torch.from_numpy(np.arange(8))),
        batch_size=4,  # four at a time
        shuffle=False,
        pin_memory=True,
    )
    for images, labels in loader:
        images = images.to(weight.device, non_blocking=True)
        labels = labels.to(device=weight.device, non_blocking=True)
        total += (images @ weight * labels).sum()
    return total


def numbered(weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    data = TensorDataset(torch.ones(8, 4, device="cpu"))
    for index, batch in enumerate(DataLoader(data, 4, pin_memory=True)):
        total += index * (batch[0].to(weight.device, non_blocking=True) @ weight).sum()
    return total
