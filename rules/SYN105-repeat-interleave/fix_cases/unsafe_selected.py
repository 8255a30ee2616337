"""Rows that are repeated as often as a mask selects of them."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"expanded": (torch.rand(3, 2, device=device),)}


def expanded(values: Tensor) -> tuple[Tensor, Tensor]:
    mask = values > 0.3
    chosen = values[mask]
    rows = torch.arange(len(values), device=values.device).repeat_interleave(mask.sum(dim=1))
    return chosen, rows
