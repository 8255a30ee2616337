"""Tensors joined by `and`, `or`, `not`, and by chained comparisons."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    valid = torch.arange(32, device=device) % 4 != 0
    return {
        "clean_gradient": (torch.randn(32, device=device),),
        "masked_mean": (torch.rand(32, device=device), valid),
        "focal_weight": (torch.rand((), device=device) * 0.8 + 0.1, 2.0),
        "balanced_loss": (torch.rand(32, device=device), valid),
    }


def clean_gradient(gradient: Tensor) -> Tensor:
    """Drop a gradient that holds infinities or NaNs."""
    broken = torch.isinf(gradient).any() or torch.isnan(gradient).any()  # sync: SYN303
    return torch.where(broken, torch.zeros_like(gradient), gradient)


def masked_mean(values: Tensor, mask: Tensor) -> Tensor:
    """Mean over a mask, zero if it is empty."""
    if not mask.any():  # sync: SYN303
        return values.new_zeros(())
    return torch.where(mask, values, 0.0).sum() / mask.sum()


def focal_weight(probability: Tensor, gamma: float) -> Tensor:
    """Weight of a sample that is neither hopeless nor solved, one for the others."""
    if 0.05 < probability < 0.95:  # sync: SYN301, SYN303
        return (1.0 - probability) ** gamma
    return torch.ones_like(probability)


def balanced_loss(losses: Tensor, positive: Tensor) -> Tensor:
    """Mean over both classes with equal weights, if both occur."""
    if positive.any() and (~positive).any():  # sync: SYN301, SYN303
        positive_mean = torch.where(positive, losses, 0.0).sum() / positive.sum()
        negative_mean = torch.where(positive, 0.0, losses).sum() / (~positive).sum()
        return 0.5 * (positive_mean + negative_mean)
    return losses.mean()
