"""The same quantities from sorting, counting per class, and comparing neighbours."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def distinct_token_ratio(tokens: Tensor) -> Tensor:
    """A sorted sequence changes its value once for every distinct value but the first."""
    ordered = tokens.flatten().sort().values
    distinct = (ordered[1:] != ordered[:-1]).sum() + 1
    return distinct / tokens.numel()


def class_balanced_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The number of classes is a dimension of the logits, so the counts have a known size."""
    counts = logits.new_zeros(logits.shape[1]).scatter_add_(0, labels, torch.ones_like(logits[:, 0]))
    weights = 1.0 / (counts[labels] * (counts > 0).sum())
    return (weights * F.cross_entropy(logits, labels, reduction="none")).sum()


def pool_voxels(features: Tensor, coordinates: Tensor, grid: int) -> Tensor:
    """Number the voxels of the whole grid and leave the empty ones empty."""
    x, y, z = coordinates.unbind(dim=1)
    voxel_of_point = (x * grid + y) * grid + z
    sums = features.new_zeros(grid**3, features.shape[1]).index_add_(0, voxel_of_point, features)
    ones = torch.ones_like(features[:, 0])
    counts = features.new_zeros(grid**3).index_add_(0, voxel_of_point, ones)
    return sums[voxel_of_point] / counts[voxel_of_point].unsqueeze(1)


def transcript_lengths(best_paths: Tensor, blank: int) -> Tensor:
    """A frame counts if it differs from the one before it and is no blank."""
    changed = F.pad(best_paths[:, 1:] != best_paths[:, :-1], (1, 0), value=1)
    return (changed & (best_paths != blank)).sum(dim=1)
