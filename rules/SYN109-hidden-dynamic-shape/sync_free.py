"""The same results from functions that take the size from the host."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def pairwise_ranking_loss(scores: Tensor) -> Tensor:
    """The positions of the pairs depend on the number of scores only."""
    count = scores.shape[0]
    first, second = torch.triu_indices(count, count, offset=1, device=scores.device)
    return F.softplus(scores[second] - scores[first]).mean()


def known_token_ratio(tokens: Tensor, known: Tensor, vocabulary: int) -> Tensor:
    """A table over the vocabulary answers for every token."""
    is_known = torch.zeros(vocabulary, dtype=torch.bool, device=tokens.device).index_fill_(0, known, True)
    return is_known[tokens].float().mean()


def adaptive_softmax_loss(head: nn.AdaptiveLogSoftmaxWithLoss, hidden: Tensor, targets: Tensor) -> Tensor:
    """`log_prob` evaluates all clusters and selects nothing by the targets."""
    log_probabilities = head.log_prob(hidden)
    return -log_probabilities.gather(1, targets.unsqueeze(1)).mean()
