"""Lists, which are copied from pinned memory."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(2, 3, 4, 4, device=device)
    return {"lengths": (x, [[1, 2, 3], [4]], device), "names": (x, str(device))}


def lengths(x: Tensor, rows: list[list[int]], device: torch.device) -> Tensor:
    counts = torch.tensor(
        [len(row) for row in rows], dtype=torch.float, pin_memory=True
    ).to(device, non_blocking=True)
    return x.sum((1, 2, 3)) / counts


def names(x: Tensor, device: str) -> Tensor:
    size = torch.tensor(
        [
            x.shape[-1],  # the width
            x.shape[-2],
        ],
        pin_memory=True,
    ).to(device, non_blocking=True)
    return size * 2
