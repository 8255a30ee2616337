"""The same values combined by operators that take tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def momentum_step(weight: Tensor, velocity: Tensor, learning_rate: Tensor) -> Tensor:
    """Written out, the product takes the learning rate from the device."""
    return weight - learning_rate * velocity


def attention_weights(scores: Tensor, valid: Tensor) -> Tensor:
    """`torch.where` takes its values from tensors."""
    lowest = scores.min() - 50.0
    return torch.where(valid, scores, lowest).softmax(dim=-1)


def clip_advantages(advantages: Tensor, upper: float) -> Tensor:
    """One bound as a tensor, then one as a number."""
    lower = advantages.quantile(0.1)
    return torch.maximum(advantages, lower).clamp(max=upper)


def smoothed_targets(labels: Tensor, smoothing: Tensor, num_classes: int) -> Tensor:
    """`expand` repeats a value without reading it."""
    share = smoothing / num_classes
    targets = share.expand(labels.shape[0], num_classes).clone()
    return targets.scatter_add_(1, labels.unsqueeze(1), (1.0 - smoothing).expand(labels.shape[0], 1))
