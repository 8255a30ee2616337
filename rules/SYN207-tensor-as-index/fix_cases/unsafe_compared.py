"""Rows of a mask, each up to a length of its own."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"up_to": (torch.arange(1, 4, device=device), 4), "beyond": (torch.arange(1, 4, device=device), 4)}


def up_to(lengths: Tensor, size: int) -> Tensor:
    mask = torch.zeros(len(lengths), size, dtype=torch.bool, device=lengths.device)
    for i in range(len(lengths)):
        mask[i, : lengths[i]] = True
    return mask


def beyond(lengths: Tensor, size: int) -> Tensor:
    mask = torch.ones(len(lengths), size, device=lengths.device)
    for row in range(len(lengths)):
        mask[row, lengths[row] :] = 0.0
    return mask
