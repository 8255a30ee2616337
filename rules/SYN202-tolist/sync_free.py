"""The same loops as one operation over a mask, segment numbers, or an index on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def mean_pool(hidden: Tensor, lengths: Tensor) -> Tensor:
    """Padding is masked out of the sum."""
    positions = torch.arange(hidden.shape[1], device=hidden.device)
    valid = positions < lengths.unsqueeze(1)
    return torch.where(valid.unsqueeze(2), hidden, 0.0).sum(dim=1) / lengths.unsqueeze(1)


def segment_maxima(packed: Tensor, lengths: Tensor) -> Tensor:
    """Each row carries the number of its segment."""
    segment_of_row = torch.repeat_interleave(lengths, output_size=packed.shape[0])
    index = segment_of_row.unsqueeze(1).expand_as(packed)
    lowest = torch.full((lengths.shape[0], packed.shape[1]), -torch.inf, device=packed.device)
    return lowest.scatter_reduce(0, index, packed, reduce="amax")


def keep_best(candidates: Tensor, scores: Tensor, count: int) -> Tensor:
    """The positions never leave the device."""
    return candidates.index_select(0, scores.topk(count).indices)
