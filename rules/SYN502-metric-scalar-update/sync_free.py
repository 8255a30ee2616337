"""The same values given as tensors on the CPU, or added up without a metric."""

from __future__ import annotations

import torch
from torch import Tensor
from torchmetrics import MeanMetric


def mean_step_time(batches: Tensor, seconds: list[float]) -> Tensor:
    step_time = MeanMetric(nan_strategy="disable").to(batches.device, non_blocking=True)
    for elapsed in seconds:
        step_time.update(torch.tensor(elapsed))
    return step_time.compute()


def tokens_seen(batches: Tensor, lengths: list[int]) -> Tensor:
    tokens = 0
    for length in lengths:
        tokens += length
    return torch.full((), float(tokens), device=batches.device)


def mean_loss(losses: Tensor, batch_sizes: list[int]) -> Tensor:
    total = torch.zeros((), device=losses.device)
    samples = 0
    for loss, batch_size in zip(losses, batch_sizes):
        total += loss * batch_size
        samples += batch_size
    return total / samples
