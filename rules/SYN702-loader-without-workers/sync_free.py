"""The same loop, with batches made by worker processes."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, TensorDataset


def channel_means(bias: Tensor) -> Tensor:
    dataset = TensorDataset(torch.ones(8, 3, 8, 8))
    loader = DataLoader(dataset, batch_size=4, num_workers=1, pin_memory=True)
    for (images,) in loader:
        images = images.to(bias.device, non_blocking=True)
        bias = bias + images.mean(dim=(0, 2, 3))
    return bias
