"""A mask of which one use can be left out altogether, and the others can share its positions."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"weighted": (torch.rand(6, device=device), torch.rand(6, device=device))}


def weighted(scores: Tensor, weights: Tensor) -> Tensor:
    idx = ~torch.isnan(scores)
    idx_positions = idx.nonzero(as_tuple=True)
    weights = weights[idx_positions] / weights[idx_positions].sum()
    return (scores[idx_positions] * weights).sum()
