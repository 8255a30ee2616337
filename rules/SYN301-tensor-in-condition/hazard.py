"""Branches and loops that the host takes by a value on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "adapt_penalty": (
            torch.full((32,), 0.01, device=device),
            torch.zeros(32, device=device),
            torch.full((), 0.2, device=device),
        ),
        "clip_by_norm": (3.0 * torch.randn(64, device=device), 1.0),
        "square_root": (torch.rand(16, device=device) + 1.0, 1e-3, 12),
        "mean_active_loss": ([torch.full((), value, device=device) for value in (0.5, -0.2, 0.0, 1.5)],),
    }


def adapt_penalty(log_ratio: Tensor, baseline: Tensor, penalty: Tensor) -> Tensor:
    """Penalty on the divergence from a reference policy, doubled or halved to keep it near a target."""
    divergence = (log_ratio - baseline).mean()
    if divergence > 0.15:  # sync: SYN301
        penalty = penalty * 2.0
    elif divergence < 0.05:  # sync: SYN301
        penalty = penalty / 2.0
    return penalty


def clip_by_norm(gradient: Tensor, max_norm: float) -> Tensor:
    """Scale a gradient down to the norm allowed."""
    norm = gradient.norm()
    scale = max_norm / norm if norm > max_norm else 1.0  # sync: SYN301
    return gradient * scale


def square_root(values: Tensor, tolerance: float, max_iterations: int) -> Tensor:
    """Newton's iteration, until every element is close enough or patience ends."""
    root = values
    residual = (root * root - values).abs().amax()
    while residual > tolerance:  # sync: SYN301
        root = 0.5 * (root + values / root)
        residual = (root * root - values).abs().amax()
        max_iterations -= 1
        if max_iterations == 0:
            break
    return root


def mean_active_loss(losses: list[Tensor]) -> Tensor:
    """Mean over the losses that are still above zero."""
    active = [loss for loss in losses if loss > 0.0]  # sync: SYN301
    return torch.stack(active).mean() if active else torch.zeros_like(losses[0])
