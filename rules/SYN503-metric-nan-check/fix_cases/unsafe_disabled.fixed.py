"""Aggregators that are made here, and need not look for NaN."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import MaxMetric, MeanMetric, Metric, SumMetric


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    losses = torch.rand(6, 2, device=device)
    return {"local": (losses,), "named": (losses,), "moved": (losses,), "held": (losses,)}


def local(losses: Tensor) -> Tensor:
    average = MeanMetric(nan_strategy="disable").to(losses.device)
    for loss in losses:
        average.update(loss)  # in each step
    return average.compute()


def named(losses: Tensor) -> Tensor:
    metrics: dict[str, Metric] = {
        "total": SumMetric(nan_strategy="disable").to(losses.device), "best": MaxMetric().to(losses.device)
    }
    for loss in losses:
        metrics["total"].update(loss)
    return metrics["total"].compute()


def moved(losses: Tensor) -> Tensor:
    total = SumMetric(
        sync_on_compute=False,
        nan_strategy="disable",
    )
    total = total.to(losses.device)
    return torch.stack([total(loss) for loss in losses])


class _Progress:
    def __init__(self, device: torch.device) -> None:
        self.average = MeanMetric(nan_strategy="disable").to(device)

    def step(self, loss: Tensor) -> None:
        self.average.update(loss)


def held(losses: Tensor) -> Tensor:
    progress = _Progress(losses.device)
    for loss in losses:
        progress.step(loss)
    return progress.average.compute()
