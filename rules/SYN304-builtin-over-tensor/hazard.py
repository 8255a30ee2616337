"""Python's own min, max, any, all, sorted and `in` over tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    anchors = torch.randn(6, 8, device=device)
    return {
        "triplet_loss": (
            anchors,
            anchors + 0.5 * torch.randn(6, 8, device=device),
            anchors + 0.5 * torch.randn(6, 8, device=device),
            0.3,
        ),
        "drop_broken_update": (
            torch.randn(4, device=device),
            [torch.randn(4, device=device), torch.randn(4, device=device)],
        ),
        "trimmed_range": ([torch.rand((), device=device) for _ in range(6)],),
        "finished_score": (
            torch.randint(1, 9, (5,), device=device),
            torch.rand(5, device=device),
            3,
        ),
    }


def triplet_loss(anchors: Tensor, positives: Tensor, negatives: Tensor, margin: float) -> Tensor:
    """Sum of hinge losses over triplets."""
    total = anchors.new_zeros(())
    for anchor, positive, negative in zip(anchors, positives, negatives):
        violation = margin + (anchor - positive).norm() - (anchor - negative).norm()
        total = total + max(violation, 0.0)  # sync: SYN304
    return total


def drop_broken_update(weight: Tensor, gradients: list[Tensor]) -> Tensor:
    """Apply the gradients, unless one of them is broken."""
    if any(torch.isnan(gradient).any() for gradient in gradients):  # sync: SYN304
        return weight
    finite = [torch.isfinite(gradient).all() for gradient in gradients]
    if not all(finite):  # sync: SYN304
        return weight
    return weight - 0.1 * torch.stack(gradients).sum(dim=0)


def trimmed_range(losses: list[Tensor]) -> Tensor:
    """Distance between the best and the worst loss, and between them without the extremes."""
    full = max(losses) - min(losses)  # sync: SYN304
    inner = sorted(losses)[1:-1]  # sync: SYN304
    return torch.stack([full, inner[-1] - inner[0]])


def finished_score(tokens: Tensor, scores: Tensor, end_token: int) -> Tensor:
    """Score of a hypothesis: its mean if it has ended, its sum if not."""
    if end_token in tokens:  # sync: SYN304
        return scores.mean()
    return scores.sum()
