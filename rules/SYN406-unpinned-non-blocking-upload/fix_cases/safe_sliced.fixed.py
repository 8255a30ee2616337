"""Slices of a pinned tensor that are made contiguous on the device."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    rows = [[1, 2, 3, 4], [5, 6, 7, 8]]
    return {"next_tokens": (rows, device), "as_they_are": (rows, device)}


def next_tokens(rows: list[list[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    batch = torch.tensor(rows, dtype=torch.long, pin_memory=True)
    inputs = batch.to(device=device, non_blocking=True)[:, :-1].to(
        dtype=torch.int32
    ).contiguous()
    targets = batch.to(device=device, non_blocking=True)[:, 1:].to(
        dtype=torch.int64
    ).contiguous()
    return inputs, targets


def as_they_are(rows: list[list[int]], device: torch.device) -> Tensor:
    batch = torch.tensor(rows, dtype=torch.float32, pin_memory=True)
    return batch.to(device, non_blocking=True)[:, 1:].contiguous()
