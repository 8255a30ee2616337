"""A bound that is used several times."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values, lengths = torch.randn(6, 3, device=device), torch.arange(4, device=device)
    return {"halves": (values, lengths)}


def halves(values: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    longest = lengths.max()  # of the batch
    first = values[:longest]
    second = values[longest:]
    return first, second, longest
