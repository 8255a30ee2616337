"""Copies that have to be left as they are."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset


def loader_that_is_told_not_to_pin(data: Dataset[tuple[Tensor, ...]], weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for (images,) in DataLoader(data, batch_size=4, pin_memory=False):
        total += (images.to(weight.device) @ weight).sum()
    return total


def batch_that_is_overwritten(data: Dataset[tuple[Tensor, ...]], weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for (images,) in DataLoader(data, batch_size=4):
        total += (images.to(weight.device) @ weight).sum()
        images.zero_()
    return total


def to_the_host(losses: list[Tensor]) -> list[Tensor]:
    return [loss.detach().cpu() for loss in losses]


def data_of_the_host(x: Tensor) -> Tensor:
    ramp = torch.tensor([1.0, 2.0])
    return x + ramp.to(x.device)
