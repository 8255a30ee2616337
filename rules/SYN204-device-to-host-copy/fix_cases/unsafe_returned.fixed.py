"""What is copied to the host and returned with what is not."""

from __future__ import annotations

import torch
from torch import Tensor

DIFFERS = {"gated": "the counts stay on the device", "named": "the counts stay on the device"}


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"gated": (torch.rand(3, 4, device=device),), "named": (torch.rand(3, 4, device=device),)}


def gated(values: Tensor) -> tuple[Tensor, Tensor]:
    mask = values > 0.5
    return values * 2, mask.sum(dim=0)


def named(values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    counts = (values > 0.5).sum(dim=0)
    most = torch.max(counts)
    return values * 2, most, counts
