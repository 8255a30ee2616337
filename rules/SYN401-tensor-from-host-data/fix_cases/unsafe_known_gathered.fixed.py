"""Lists that are filled before they are copied."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(6, 3, device=device)
    return {"scores": (x,), "by_size": (x, [2, 3, 2, 2, 3, 1])}


def scores(x: Tensor) -> Tensor:
    given = []
    for row in range(x.shape[0]):
        given.append(row * 0.5)
    given = torch.tensor(given, dtype=torch.float, pin_memory=x.is_cuda).to(
        x.device, non_blocking=True
    )
    return x.float() * given[:, None]


def by_size(x: Tensor, sizes: list[int]) -> Tensor:
    rows_of: dict[int, list[int]] = {}
    for row, size in enumerate(sizes):
        rows_of.setdefault(size, []).append(row)
    for size, rows in rows_of.items():
        x.index_add_(
            0,
            torch.tensor(rows, pin_memory=x.is_cuda).to(x.device, non_blocking=True),
            x[: len(rows)] * size,
        )
    return x
