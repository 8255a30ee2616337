"""Expansion of per-segment values to the elements of each segment."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    durations = torch.arange(30, device=device) % 3 + 1
    return {
        "duration_loss": (torch.randn(30, 16, device=device), durations, torch.randn(60, 16, device=device)),
        "graph_size_norm": (torch.randn(60, 8, device=device), durations),
        "weighted_token_loss": (
            torch.rand(60, device=device),
            torch.rand(30, device=device),
            durations,
        ),
    }


def duration_loss(phonemes: Tensor, durations: Tensor, spectrogram: Tensor) -> Tensor:
    """Compare a spectrogram with the phonemes, each held for its duration in frames."""
    frames = phonemes.repeat_interleave(durations, dim=0)  # sync: SYN105
    return F.l1_loss(frames, spectrogram)


def graph_size_norm(nodes: Tensor, nodes_per_graph: Tensor) -> Tensor:
    """Divide each node of a batch of graphs by the root of its graph's size."""
    graph_of_node = torch.repeat_interleave(nodes_per_graph)  # sync: SYN105
    return nodes * nodes_per_graph.rsqrt()[graph_of_node].unsqueeze(1)


def weighted_token_loss(token_losses: Tensor, sample_weights: Tensor, lengths: Tensor) -> Tensor:
    """Weigh each token of a packed batch with the weight of its sample."""
    weights = torch.repeat_interleave(sample_weights / lengths, lengths, dim=0)  # sync: SYN105
    return (token_losses * weights).sum() / sample_weights.sum()
