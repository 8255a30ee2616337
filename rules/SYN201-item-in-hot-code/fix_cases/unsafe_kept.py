"""Numbers that are read only to be computed with."""

from __future__ import annotations

import torch
from torch import Tensor

DIFFERS = {"averaged": "the average is a tensor"}


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values = torch.rand(6, device=device)
    return {"normalized": (values,), "scaled": (values, values[0]), "averaged": (values,)}


def weigh(values: Tensor, divisor: float) -> Tensor:
    return values / divisor


def normalized(values: Tensor) -> Tensor:
    count = (values >= 0.0).sum().item()
    return weigh(values, count)


def scaled(values: Tensor, weight: Tensor) -> Tensor:
    scale = (values.mean() * weight).item()
    return values / scale


class AverageMeter:
    def __init__(self) -> None:
        self.total = 0.0
        self.count = 0

    def update(self, value: float, count: int) -> None:
        self.total += value * count
        self.count += count

    @property
    def average(self) -> float:
        return self.total / self.count


def averaged(values: Tensor) -> float:
    meter = AverageMeter()
    for factor in range(1, 5):
        loss = (values * factor).mean()
        meter.update(loss.item() * 2, 4)
    return meter.average
