"""A loop that reads each loss."""

from __future__ import annotations

import torch
from acme_training import fetch_scalar
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"mean_loss": (torch.randn(4, 8, device=device),)}


def mean_loss(batches: Tensor) -> Tensor:
    total = 0.0
    for batch in batches.unbind():
        total += fetch_scalar(batch.square().mean(), digits=12)  # sync: ACME101
    return torch.full((), total / len(batches), device=batches.device)
