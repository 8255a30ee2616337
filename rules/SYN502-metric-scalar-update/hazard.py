"""Metrics on the device that are updated with Python numbers."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import MeanMetric, SumMetric


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "mean_step_time": (torch.randn(5, 8, device=device), [0.11, 0.12, 0.1, 0.13, 0.12]),
        "tokens_seen": (torch.randn(5, 8, device=device), [128, 64, 256, 32, 512]),
        "mean_loss": (torch.rand(4, device=device), [32, 32, 32, 7]),
    }


def mean_step_time(batches: Tensor, seconds: list[float]) -> Tensor:
    step_time = MeanMetric(nan_strategy="disable").to(batches.device, non_blocking=True)
    for elapsed in seconds:
        step_time.update(elapsed)  # sync: SYN502
    return step_time.compute()


def tokens_seen(batches: Tensor, lengths: list[int]) -> Tensor:
    tokens = SumMetric(nan_strategy="disable").to(batches.device, non_blocking=True)
    for length in lengths:
        tokens.update(length)  # sync: SYN502
    return tokens.compute()


def mean_loss(losses: Tensor, batch_sizes: list[int]) -> Tensor:
    average = MeanMetric().to(losses.device, non_blocking=True)
    for loss, batch_size in zip(losses, batch_sizes):
        average.update(loss, weight=batch_size)  # sync: SYN502, SYN503
    return average.compute()
