"""The same means: sums kept on the device, and a default weight that is made there."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import Metric


def mean_loss(losses: Tensor) -> Tensor:
    total = torch.zeros((), device=losses.device)
    count = 0
    for loss in losses:
        total += loss
        count += 1
    return total / count


class _WeightedMean(Metric):
    def __init__(self) -> None:
        super().__init__()
        self.add_state("total", default=torch.zeros(()), dist_reduce_fx="sum")
        self.add_state("count", default=torch.zeros(()), dist_reduce_fx="sum")

    def update(self, value: Tensor, weight: Tensor | None = None) -> None:
        if weight is None:
            weight = torch.ones_like(value)
        self.total += (value * weight).sum()
        self.count += weight.sum()

    def compute(self) -> Tensor:
        return self.total / self.count


def mean_length(lengths: Tensor) -> Tensor:
    average = _WeightedMean().to(lengths.device, non_blocking=True)
    for batch in lengths:
        average.update(batch)
    return average.compute()
