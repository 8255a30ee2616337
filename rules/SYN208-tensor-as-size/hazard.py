"""Sizes computed on the device and handed to functions that allocate."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "masked_mean": (torch.randn(6, 9, 4, device=device), torch.arange(6, device=device) % 4 + 2),
        "graph_energy": (torch.randn(40, 8, device=device), torch.arange(40, device=device) // 7),
        "hard_negative_loss": (
            torch.rand(100, device=device),
            torch.arange(100, device=device) % 9 == 0,
        ),
        "held_out_gap": (torch.rand(2, device=device), torch.ones((), dtype=torch.int64, device=device)),
    }


def masked_mean(hidden: Tensor, lengths: Tensor) -> Tensor:
    """Mean over each sequence, up to the longest one of the batch."""
    positions = torch.arange(lengths.max(), device=lengths.device)  # sync: SYN208
    valid = positions < lengths.unsqueeze(1)
    visible = hidden[:, : positions.shape[0]]
    return (visible * valid.unsqueeze(2)).sum(dim=1) / lengths.unsqueeze(1)


def graph_energy(nodes: Tensor, graph_of_node: Tensor) -> Tensor:
    """Sum of squares over the graphs' summed node features."""
    sums = torch.zeros(graph_of_node.max() + 1, nodes.shape[1], device=nodes.device)  # sync: SYN208
    return sums.index_add_(0, graph_of_node, nodes).square().sum()


def hard_negative_loss(losses: Tensor, positive: Tensor) -> Tensor:
    """Loss over the positive anchors and three times as many of the hardest negative ones."""
    negatives = losses.masked_fill(positive, 0.0)
    hardest = negatives.topk(3 * positive.sum()).values  # sync: SYN208
    return (torch.where(positive, losses, 0.0).sum() + hardest.sum()) / positive.sum()


def held_out_gap(losses: Tensor, boundary: Tensor) -> Tensor:
    """Difference between the mean losses after and before a boundary."""
    train, held_out = losses.split([boundary, losses.shape[0] - boundary])  # sync: SYN208
    return held_out.mean() - train.mean()
