"""The same loader, with copies that do not wait."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset


def class_means(prototypes: Tensor) -> Tensor:
    device = prototypes.device
    dataset = TensorDataset(torch.ones(8, 3, 8, 8), torch.arange(8) % 2)
    loader = DataLoader(dataset, batch_size=4, num_workers=1, pin_memory=True)
    for images, labels in loader:
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        prototypes = prototypes.index_add(0, labels, images.mean(dim=(2, 3)))
    return prototypes
