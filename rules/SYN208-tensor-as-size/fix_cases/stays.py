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


def of_other_lengths(lengths: Tensor, others: Tensor) -> Tensor:
    total = others.sum()
    rows = torch.arange(len(lengths), device=lengths.device).repeat_interleave(lengths)
    return torch.arange(total, device=lengths.device) - rows


def of_lengths_that_are_doubled(lengths: Tensor) -> Tensor:
    total = lengths.sum()
    rows = torch.arange(len(lengths), device=lengths.device).repeat_interleave(lengths * 2)
    return torch.arange(total, device=lengths.device) - rows
