"""The same decisions taken on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def adapt_penalty(log_ratio: Tensor, baseline: Tensor, penalty: Tensor) -> Tensor:
    """Both branches are cheap, so compute both and choose."""
    divergence = (log_ratio - baseline).mean()
    lowered = torch.where(divergence < 0.05, penalty / 2.0, penalty)
    return torch.where(divergence > 0.15, penalty * 2.0, lowered)


def clip_by_norm(gradient: Tensor, max_norm: float) -> Tensor:
    """The condition is a bound on the scale."""
    return gradient * (max_norm / gradient.norm()).clamp(max=1.0)


def square_root(values: Tensor, tolerance: float, max_iterations: int) -> Tensor:
    """A fixed number of iterations; the root stays as it is once it is close enough."""
    root = values
    for _ in range(max_iterations):
        residual = (root * root - values).abs().amax()
        root = torch.where(residual > tolerance, 0.5 * (root + values / root), root)
    return root


def mean_active_loss(losses: list[Tensor]) -> Tensor:
    """The filter becomes a mask."""
    stacked = torch.stack(losses)
    active = stacked > 0.0
    return torch.where(active, stacked, 0.0).sum() / active.sum().clamp(min=1)
