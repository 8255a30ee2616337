from __future__ import annotations

from torch import Tensor
from torchmetrics import MeanMetric, SumMetric


def weighted(losses: Tensor, weights: Tensor) -> Tensor:
    average = MeanMetric().to(losses.device)
    for loss, weight in zip(losses, weights):
        average.update(loss, weight)
    return average.compute()


def nan_is_left_out(losses: Tensor) -> Tensor:
    total = SumMetric(nan_strategy="ignore").to(losses.device)
    for loss in losses:
        total.update(loss)
    return total.compute()


def made_elsewhere(total: SumMetric, losses: Tensor) -> Tensor:
    for loss in losses:
        total.update(loss)
    return total.compute()


def made_with_options(losses: Tensor, options: dict[str, bool]) -> Tensor:
    total = SumMetric(**options).to(losses.device)
    for loss in losses:
        total.update(loss)
    return total.compute()
