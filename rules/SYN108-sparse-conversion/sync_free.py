"""The same layers with dense tensors of a known size."""

from __future__ import annotations

import torch
from torch import Tensor


def propagate(adjacency: Tensor, features: Tensor) -> Tensor:
    """The dense product needs no list of edges."""
    return adjacency @ features


def merge_parallel_edges(edge_index: Tensor, edge_weight: Tensor, num_nodes: int) -> Tensor:
    """Parallel edges meet in one cell of the flattened adjacency matrix."""
    cells = edge_index[0] * num_nodes + edge_index[1]
    merged = edge_weight.new_zeros(num_nodes**2).scatter_add_(0, cells, edge_weight)
    return merged.square().sum()


def cooccurrence_norm(pairs: Tensor, vocabulary: int) -> Tensor:
    """Count into the whole matrix."""
    ones = torch.ones(pairs.shape[1], device=pairs.device)
    counts = ones.new_zeros(vocabulary, vocabulary).index_put_((pairs[0], pairs[1]), ones, accumulate=True)
    return counts.norm()
