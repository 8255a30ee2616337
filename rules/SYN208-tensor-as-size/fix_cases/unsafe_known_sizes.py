"""A size that is used several times."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"positions": (torch.arange(1, 5, device=device),)}


def positions(lengths: Tensor) -> tuple[Tensor, Tensor]:
    longest = lengths.long().max()
    places = torch.arange(longest, device=lengths.device)
    empty = torch.zeros((2, longest), device=lengths.device)
    return places, empty
