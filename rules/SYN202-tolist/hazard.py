"""Loops over lengths, sizes and positions that come from the device."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    lengths = torch.arange(8, device=device) % 5 + 1
    return {
        "mean_pool": (torch.randn(8, 6, 16, device=device), lengths),
        "segment_maxima": (torch.randn(21, 16, device=device), lengths),
        "keep_best": (torch.randn(32, 16, device=device), torch.rand(32, device=device), 4),
    }


def mean_pool(hidden: Tensor, lengths: Tensor) -> Tensor:
    """Mean of each sequence over its own length."""
    pooled = []
    for sequence, length in zip(hidden, lengths.tolist()):  # sync: SYN202
        pooled.append(sequence[:length].mean(dim=0))
    return torch.stack(pooled)


def segment_maxima(packed: Tensor, lengths: Tensor) -> Tensor:
    """Maximum over each segment of a packed batch."""
    segments = packed.split(lengths.tolist())  # sync: SYN202
    return torch.stack([segment.amax(dim=0) for segment in segments])


def keep_best(candidates: Tensor, scores: Tensor, count: int) -> Tensor:
    """The candidates with the best scores, best first."""
    order = scores.topk(count).indices.tolist()  # sync: SYN202
    return torch.stack([candidates[position] for position in order])
