"""The same aggregators with nan_strategy="disable"."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import MaxMetric, MeanMetric, SumMetric


def mean_loss(losses: Tensor) -> Tensor:
    average = MeanMetric(nan_strategy="disable").to(losses.device, non_blocking=True)
    for loss in losses:
        average.update(loss)
    return average.compute()


def smoothed_losses(losses: Tensor) -> Tensor:
    average = MeanMetric(nan_strategy="disable").to(losses.device, non_blocking=True)
    return torch.stack([average(batch) for batch in losses])


def best_score(scores: Tensor) -> Tensor:
    best = MaxMetric(nan_strategy="disable").to(scores.device, non_blocking=True)
    for score in scores:
        best.update(score)
    return best.compute()


def total_correct(logits: Tensor) -> Tensor:
    correct = SumMetric(nan_strategy="disable").to(logits.device, non_blocking=True)
    for batch in logits:
        correct.update((batch > 0).float())
    return correct.compute()
