"""Functions whose result has a predictable size, but which count on the device to get there."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    head = nn.AdaptiveLogSoftmaxWithLoss(16, 40, cutoffs=[10, 20], device=device)
    return {
        "pairwise_ranking_loss": (torch.randn(24, device=device),),
        "known_token_ratio": (
            torch.randint(0, 200, (4, 16), device=device),
            torch.randint(0, 200, (100,), device=device),
            200,
        ),
        "adaptive_softmax_loss": (
            head,
            torch.randn(3, 16, device=device),
            torch.arange(5, 35, 10, device=device),  # one of each cluster
        ),
    }


def pairwise_ranking_loss(scores: Tensor) -> Tensor:
    """Logistic loss over all pairs of scores that should descend."""
    pairs = torch.combinations(scores, r=2)  # sync: SYN109
    return F.softplus(pairs[:, 1] - pairs[:, 0]).mean()


def known_token_ratio(tokens: Tensor, known: Tensor, vocabulary: int) -> Tensor:
    """Share of the tokens that occur in a long list of known ones."""
    return torch.isin(tokens, known).float().mean()  # sync: SYN109


def adaptive_softmax_loss(head: nn.AdaptiveLogSoftmaxWithLoss, hidden: Tensor, targets: Tensor) -> Tensor:
    """Negative log likelihood under a softmax that clusters rare classes."""
    output = head(hidden, targets)  # sync: SYN109
    return output.loss
