"""Copies of pinned memory that nobody writes to afterwards."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"under_its_own_name": (torch.randn(8, device=device),), "on_many_lines": (torch.randn(8, device=device),)}


def under_its_own_name(x: Tensor) -> Tensor:
    ramp = torch.arange(8.0).pin_memory()
    return x + ramp.cuda(non_blocking=True) * ramp.to(x.device, non_blocking=True)  # a comment


def on_many_lines(x: Tensor) -> Tensor:
    ramp = torch.arange(8.0).pin_memory()
    ramp = ramp.to(
        x.device,  # where it is needed
        non_blocking=True,
    )
    return x + ramp
