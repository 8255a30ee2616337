"""The same computations with PyTorch's counterparts."""

from __future__ import annotations

import torch
from torch import Tensor


def triplet_loss(anchors: Tensor, positives: Tensor, negatives: Tensor, margin: float) -> Tensor:
    """`clamp` is the maximum with a number."""
    violation = margin + (anchors - positives).norm(dim=1) - (anchors - negatives).norm(dim=1)
    return violation.clamp(min=0.0).sum()


def drop_broken_update(weight: Tensor, gradients: list[Tensor]) -> Tensor:
    """One test for all gradients, kept on the device."""
    stacked = torch.stack(gradients)
    update = 0.1 * stacked.sum(dim=0)
    return torch.where(torch.isfinite(stacked).all(), weight - update, weight)


def trimmed_range(losses: list[Tensor]) -> Tensor:
    """Sorting on the device answers all four questions."""
    ordered = torch.stack(losses).sort().values
    return torch.stack([ordered[-1] - ordered[0], ordered[-2] - ordered[1]])


def finished_score(tokens: Tensor, scores: Tensor, end_token: int) -> Tensor:
    """`in` is a comparison followed by `any`."""
    ended = (tokens == end_token).any()
    return torch.where(ended, scores.mean(), scores.sum())
