"""Graph layers that go through sparse tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    nodes = torch.arange(90, device=device)
    edge_index = torch.stack([nodes % 13, nodes * 7 % 16])
    return {
        "propagate": (torch.rand(16, 16, device=device).sub(0.6).relu(), torch.randn(16, 8, device=device)),
        "merge_parallel_edges": (edge_index, torch.rand(90, device=device), 16),
        "cooccurrence_norm": (torch.randint(0, 12, (2, 200), device=device), 12),
    }


def propagate(adjacency: Tensor, features: Tensor) -> Tensor:
    """One step of message passing along the edges of a dense adjacency matrix."""
    edges = adjacency.to_sparse()  # sync: SYN108
    target, source = edges.indices()
    messages = features[source] * edges.values().unsqueeze(1)
    return torch.zeros_like(features).index_add_(0, target, messages)


def merge_parallel_edges(edge_index: Tensor, edge_weight: Tensor, num_nodes: int) -> Tensor:
    """Sum of the squared weights once parallel edges are merged."""
    graph = torch.sparse_coo_tensor(edge_index, edge_weight)  # sync: SYN108
    merged = graph.coalesce()  # sync: SYN108
    return merged.values().square().sum()


def cooccurrence_norm(pairs: Tensor, vocabulary: int) -> Tensor:
    """Norm of the matrix that counts how often two tokens meet."""
    ones = torch.ones(pairs.shape[1], device=pairs.device)
    counts = torch.sparse_coo_tensor(pairs, ones, (vocabulary, vocabulary)).coalesce()  # sync: SYN108
    return counts.values().norm()
