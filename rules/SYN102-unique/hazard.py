"""Weights, statistics and pooling built on the distinct values of a tensor."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "distinct_token_ratio": (torch.randint(0, 50, (4, 32), device=device),),
        "class_balanced_loss": (
            torch.randn(64, 10, device=device),
            torch.randint(0, 8, (64,), device=device),
        ),
        "pool_voxels": (
            torch.randn(128, 6, device=device),
            torch.randint(0, 4, (128, 3), device=device),
            4,
        ),
        "transcript_lengths": (torch.randint(0, 4, (3, 40), device=device), 0),
    }


def distinct_token_ratio(tokens: Tensor) -> Tensor:
    """Share of the generated tokens that are distinct."""
    distinct = tokens.unique()  # sync: SYN102
    return torch.full((), distinct.numel() / tokens.numel(), device=tokens.device)


def class_balanced_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Give every class of the batch the same weight, however often it occurs."""
    classes, position, counts = torch.unique(labels, return_inverse=True, return_counts=True)  # sync: SYN102
    weights = 1.0 / (counts[position] * classes.numel())
    return (weights * F.cross_entropy(logits, labels, reduction="none")).sum()


def pool_voxels(features: Tensor, coordinates: Tensor, grid: int) -> Tensor:
    """Replace each point's features by the mean over its voxel of a cubic grid."""
    voxels, voxel_of_point = torch.unique(coordinates, dim=0, return_inverse=True)  # sync: SYN102
    sums = features.new_zeros(voxels.shape[0], features.shape[1]).index_add_(0, voxel_of_point, features)
    ones = torch.ones_like(features[:, 0])
    counts = features.new_zeros(voxels.shape[0]).index_add_(0, voxel_of_point, ones)
    return (sums / counts.unsqueeze(1))[voxel_of_point]


def transcript_lengths(best_paths: Tensor, blank: int) -> Tensor:
    """Lengths of greedy CTC transcripts: repeated frames count once, blanks not at all."""
    lengths = []
    for path in best_paths:
        collapsed = torch.unique_consecutive(path)  # sync: SYN102
        lengths.append((collapsed != blank).sum())
    return torch.stack(lengths)
