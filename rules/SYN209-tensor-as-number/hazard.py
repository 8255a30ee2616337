"""Values computed on the device and handed to arguments that take a Python number."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    valid = torch.arange(12, device=device) % 5 != 0
    return {
        "momentum_step": (
            torch.randn(16, device=device),
            torch.randn(16, device=device),
            torch.full((), 0.1, device=device),
        ),
        "attention_weights": (torch.randn(12, 12, device=device), valid),
        "clip_advantages": (torch.randn(64, device=device), 2.0),
        "smoothed_targets": (
            torch.arange(20, device=device) % 6,
            torch.full((), 0.1, device=device),
            6,
        ),
    }


def momentum_step(weight: Tensor, velocity: Tensor, learning_rate: Tensor) -> Tensor:
    """One step along the velocity with a learning rate that a schedule keeps on the device."""
    return torch.add(weight, velocity, alpha=-learning_rate)  # sync: SYN209


def attention_weights(scores: Tensor, valid: Tensor) -> Tensor:
    """Softmax over the valid keys; the others get less than the lowest score."""
    lowest = scores.min() - 50.0
    return scores.masked_fill(~valid, lowest).softmax(dim=-1)  # sync: SYN209


def clip_advantages(advantages: Tensor, upper: float) -> Tensor:
    """Clip between a quantile of the batch and a constant."""
    lower = advantages.quantile(0.1)
    return advantages.clamp(min=lower, max=upper)  # sync: SYN209


def smoothed_targets(labels: Tensor, smoothing: Tensor, num_classes: int) -> Tensor:
    """Label smoothing whose amount is learned or scheduled on the device."""
    share = smoothing / num_classes
    targets = torch.full((labels.shape[0], num_classes), share, device=labels.device)  # sync: SYN209
    return targets.scatter_add_(1, labels.unsqueeze(1), (1.0 - smoothing).expand(labels.shape[0], 1))
