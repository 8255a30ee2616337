"""Sums that an object keeps, and sums of what is made in between."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"norm": ([torch.rand(3, device=device)] * 4,), "by_position": (torch.rand(4, device=device),)}


class Mean:
    def __init__(self) -> None:
        self.total = 0.0

    def update(self, batches: list[Tensor]) -> None:
        for batch in batches:
            self.total += batch.sum().detach() * 2


def norm(parameters: list[Tensor]) -> Tensor:
    total = sum([parameter.norm(2).detach() ** 2 for parameter in parameters])
    return parameters[0] / float(total)


def by_position(values: Tensor) -> float:
    found = 1.0
    values_list = values.tolist()
    for i in range(3):
        found = found * 2 + float(values_list[i])
    return found
