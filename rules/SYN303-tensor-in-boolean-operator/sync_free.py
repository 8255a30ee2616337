"""The same conditions joined on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def clean_gradient(gradient: Tensor) -> Tensor:
    """One test finds infinities and NaNs."""
    broken = ~torch.isfinite(gradient).all()
    return torch.where(broken, torch.zeros_like(gradient), gradient)


def masked_mean(values: Tensor, mask: Tensor) -> Tensor:
    """An empty mask sums to zero, divided by one."""
    return torch.where(mask, values, 0.0).sum() / mask.sum().clamp(min=1)


def focal_weight(probability: Tensor, gamma: float) -> Tensor:
    """`&` joins two tensors where `and` tests the first."""
    undecided = (probability > 0.05) & (probability < 0.95)
    return torch.where(undecided, (1.0 - probability) ** gamma, 1.0)


def balanced_loss(losses: Tensor, positive: Tensor) -> Tensor:
    """Means over possibly empty masks, then the choice."""
    both = positive.any() & (~positive).any()
    positive_mean = torch.where(positive, losses, 0.0).sum() / positive.sum().clamp(min=1)
    negative_mean = torch.where(positive, 0.0, losses).sum() / (~positive).sum().clamp(min=1)
    return torch.where(both, 0.5 * (positive_mean + negative_mean), losses.mean())
