"""Numbers that are written where a tensor with a dimension is found to be something."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.randn(3, 5, device=device).log()
    return {"clipped": (scores,), "named": (scores,), "without_nan": (torch.zeros(0, device=device),)}


def clipped(scores: Tensor) -> Tensor:
    flat = scores.float().flatten()
    flat[(flat > 1).nonzero(as_tuple=True)] = 1
    return flat


def named(scores: Tensor) -> Tensor:
    rows = scores.float().flatten() - 1
    places = torch.nonzero(rows < 0, as_tuple=True)
    # below zero
    rows[places] = -1
    return rows


def without_nan(scores: Tensor) -> Tensor:
    flat = scores.float().flatten()
    flat[torch.where(torch.isnan(flat))] = 0.0
    return flat
