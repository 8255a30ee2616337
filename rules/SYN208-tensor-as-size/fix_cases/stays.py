"""Sizes that are read where they are used."""

from __future__ import annotations

import torch
from torch import Tensor


def once(lengths: Tensor) -> Tensor:
    longest = lengths.max()
    return torch.arange(longest, device=lengths.device)


def in_a_function_of_its_own(lengths: Tensor) -> tuple[Tensor, object]:
    longest = lengths.max()
    return torch.arange(longest), torch.zeros(longest), lambda: longest
