"""Waits before work on another stream."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"averaged": (torch.rand(3, device=device),), "chosen": (torch.rand(3, device=device), True)}

NEEDS_CUDA = True


def averaged(values: Tensor) -> Tensor:
    side = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        mean = values.mean()
    return mean


def chosen(values: Tensor, overlap: bool) -> Tensor:
    if overlap:
        torch.cuda.synchronize()
        stream = torch.cuda.Stream()
    else:
        stream = torch.cuda.current_stream()
    with torch.cuda.stream(stream):
        mean = values.mean()
    return mean
