"""What may have been given something else than a list meanwhile."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(6, 3, device=device)
    return {"of_a_dictionary": (x, [[1, 2], [3]])}


def of_a_dictionary(x: Tensor, given: list[list[int]]) -> Tensor:
    rows_of: dict[int, list[int]] = {}
    for size, rows in enumerate(given):
        rows_of[size] = rows
    for rows in rows_of.values():
        x = x + torch.tensor(rows, pin_memory=x.is_cuda).to(
            x.device, non_blocking=True
        ).sum()
    return x
