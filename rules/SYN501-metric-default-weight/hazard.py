"""Running means whose weight, left out by the caller, is the Python number 1.0."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import MeanMetric, Metric


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "mean_loss": (torch.rand(6, device=device),),
        "mean_length": (torch.rand(6, 4, device=device),),
    }


def mean_loss(losses: Tensor) -> Tensor:
    average = MeanMetric().to(losses.device, non_blocking=True)
    for loss in losses:
        average.update(loss)  # sync: SYN501, SYN503
    return average.compute()


class _WeightedMean(Metric):
    """MeanMetric as it was up to torchmetrics 1.6.1, without its NaN check."""

    def __init__(self) -> None:
        super().__init__()
        self.add_state("total", default=torch.zeros(()), dist_reduce_fx="sum")
        self.add_state("count", default=torch.zeros(()), dist_reduce_fx="sum")

    def update(self, value: Tensor, weight: Tensor | float = 1.0) -> None:
        if not isinstance(weight, Tensor):
            weight = torch.as_tensor(weight, dtype=value.dtype, device=value.device)  # sync: SYN401
        weight = torch.broadcast_to(weight, value.shape)
        self.total += (value * weight).sum()
        self.count += weight.sum()

    def compute(self) -> Tensor:
        return self.total / self.count


def mean_length(lengths: Tensor) -> Tensor:
    average = _WeightedMean().to(lengths.device, non_blocking=True)
    for batch in lengths:
        average.update(batch)
    return average.compute()
