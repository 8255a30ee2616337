"""Losses and scores collected by torchmetrics' aggregators with their NaN check left on."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import MaxMetric, MeanMetric, SumMetric


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "mean_loss": (torch.rand(6, device=device),),
        "smoothed_losses": (torch.rand(4, 3, device=device),),
        "best_score": (torch.rand(6, device=device),),
        "total_correct": (torch.randn(4, 8, device=device),),
    }


def mean_loss(losses: Tensor) -> Tensor:
    average = MeanMetric().to(losses.device, non_blocking=True)
    for loss in losses:
        average.update(loss)  # sync: SYN503
    return average.compute()


def smoothed_losses(losses: Tensor) -> Tensor:
    average = MeanMetric(nan_strategy="ignore").to(losses.device, non_blocking=True)
    return torch.stack([average(batch) for batch in losses])  # sync: SYN503


def best_score(scores: Tensor) -> Tensor:
    best = MaxMetric().to(scores.device, non_blocking=True)
    for score in scores:
        best.update(score)  # sync: SYN503
    return best.compute()


def total_correct(logits: Tensor) -> Tensor:
    correct = SumMetric(nan_strategy=0.0).to(logits.device, non_blocking=True)
    for batch in logits:
        correct.update((batch > 0).float())  # sync: SYN503
    return correct.compute()
