"""The same losses and statistics without the check."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def heteroscedastic_loss(prediction: Tensor, target: Tensor, variance: Tensor) -> Tensor:
    variance = variance.clamp(min=1e-6)
    return 0.5 * (variance.log() + (prediction - target).square() / variance).mean()


def imbalanced_loss(logits: Tensor, targets: Tensor, class_weights: Tensor) -> Tensor:
    total = F.cross_entropy(logits, targets, weight=class_weights, label_smoothing=0.1, reduction="sum")
    return total / class_weights[targets].sum()


def decorrelation_loss(features: Tensor) -> Tensor:
    centred = features - features.mean(dim=1, keepdim=True)
    covariance = centred @ centred.mT / (features.shape[1] - 1)
    off_diagonal = covariance - torch.diag(covariance.diagonal())
    return off_diagonal.square().sum() / len(features)


def cumulative_statistics(batches: Tensor) -> Tensor:
    norm = nn.BatchNorm1d(8, momentum=1.0).to(batches.device, non_blocking=True)
    for seen, batch in enumerate(batches, start=1):
        norm.momentum = 1.0 / seen
        norm(batch)
    return torch.stack([norm.running_mean, norm.running_var])
