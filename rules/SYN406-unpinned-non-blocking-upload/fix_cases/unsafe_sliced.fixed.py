"""Slices of a pinned tensor: nobody makes them contiguous, or the device converts them."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    rows = [[1, 2, 3, 4], [5, 6, 7, 8]]
    return {"as_they_are": (rows, device), "converted": (rows, device)}


def as_they_are(rows: list[list[int]], device: torch.device) -> Tensor:
    batch = torch.tensor(rows, dtype=torch.float32, pin_memory=True)
    return batch.to(device, non_blocking=True)[:, 1:]


def converted(rows: list[list[int]], device: torch.device) -> Tensor:
    batch = torch.tensor(rows, dtype=torch.float32, pin_memory=True)
    return batch.to(device, non_blocking=True)[:, 1:].to(dtype=torch.int64).contiguous()
