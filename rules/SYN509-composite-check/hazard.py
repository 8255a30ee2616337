"""Losses, statistics and layers that read a value on the host inside PyTorch."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "heteroscedastic_loss": (
            torch.randn(32, device=device),
            torch.randn(32, device=device),
            torch.rand(32, device=device) + 0.1,
        ),
        "imbalanced_loss": (
            torch.randn(32, 4, device=device),
            torch.arange(32, device=device) % 4,
            torch.rand(4, device=device) + 0.5,
        ),
        "decorrelation_loss": (torch.randn(6, 64, device=device),),
        "cumulative_statistics": (torch.randn(5, 32, 8, device=device),),
    }


def heteroscedastic_loss(prediction: Tensor, target: Tensor, variance: Tensor) -> Tensor:
    return F.gaussian_nll_loss(prediction, target, variance)  # sync: SYN509


def imbalanced_loss(logits: Tensor, targets: Tensor, class_weights: Tensor) -> Tensor:
    return F.cross_entropy(logits, targets, weight=class_weights, label_smoothing=0.1)  # sync: SYN509


def decorrelation_loss(features: Tensor) -> Tensor:
    covariance = torch.cov(features)  # sync: SYN509
    off_diagonal = covariance - torch.diag(covariance.diagonal())
    return off_diagonal.square().sum() / len(features)


def cumulative_statistics(batches: Tensor) -> Tensor:
    norm = nn.BatchNorm1d(8, momentum=None).to(batches.device, non_blocking=True)
    for batch in batches:
        norm(batch)  # sync: SYN509
    return torch.stack([norm.running_mean, norm.running_var])
