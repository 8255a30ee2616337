"""Copies of pinned memory that convert on the way."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"converted_on_the_way": (torch.randn(8, device=device),)}


def converted_on_the_way(x: Tensor) -> Tensor:
    ramp = torch.arange(8).pin_memory()
    return x + ramp.to(x.device, non_blocking=True).to(torch.float32)
