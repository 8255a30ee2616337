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


def that_learns(x: Tensor, pick) -> Tensor:
    return torch.zeros(3, requires_grad=True).to(pick())


def counted_in_another_type(x: Tensor) -> Tensor:
    return torch.arange(3).to(x)


class Positions(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("positions", torch.tensor([0, 1, 2]), persistent=False)

    def that_move_with_the_module(self, x: Tensor) -> Tensor:
        return x + self.positions.to(x.device)


def like_something_unknown(other, size: int) -> Tensor:
    return torch.zeros(size).to(other)


def of_an_object_that_is_called(batch, weight: Tensor, pick) -> Tensor:
    return batch["images"].to(pick(weight))


def what_a_loader_of_unknown_kind_gives(train_loader, weight: Tensor) -> Tensor:
    total = torch.zeros((), device=weight.device)
    for (images,) in train_loader:
        images = images.to(weight.device)
        total += (images @ weight).sum()
    return total


class Batch:
    def __init__(self, parts: dict[str, Tensor]) -> None:
        self.parts = parts

    def to(self, device: torch.device) -> Batch:
        return Batch({name: part.to(device) for name, part in self.parts.items()})
