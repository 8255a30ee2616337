"""The same results with sizes from shapes, and masks for the rest."""

from __future__ import annotations

import torch
from torch import Tensor


def masked_mean(hidden: Tensor, lengths: Tensor) -> Tensor:
    """The padded length bounds every sequence."""
    positions = torch.arange(hidden.shape[1], device=lengths.device)
    valid = positions < lengths.unsqueeze(1)
    return (hidden * valid.unsqueeze(2)).sum(dim=1) / lengths.unsqueeze(1)


def graph_energy(nodes: Tensor, graph_of_node: Tensor) -> Tensor:
    """There are at most as many graphs as nodes; the spare rows stay zero."""
    sums = torch.zeros_like(nodes)
    return sums.index_add_(0, graph_of_node, nodes).square().sum()


def hard_negative_loss(losses: Tensor, positive: Tensor) -> Tensor:
    """Sort everything and weigh the first elements."""
    negatives = losses.masked_fill(positive, 0.0).sort(descending=True).values
    rank = torch.arange(losses.shape[0], device=losses.device)
    hardest = torch.where(rank < 3 * positive.sum(), negatives, 0.0)
    return (torch.where(positive, losses, 0.0).sum() + hardest.sum()) / positive.sum()


def held_out_gap(losses: Tensor, boundary: Tensor) -> Tensor:
    """Both parts are masks over the whole."""
    train = torch.arange(losses.shape[0], device=losses.device) < boundary
    train_mean = torch.where(train, losses, 0.0).sum() / train.sum()
    held_out_mean = torch.where(train, 0.0, losses).sum() / (~train).sum()
    return held_out_mean - train_mean
