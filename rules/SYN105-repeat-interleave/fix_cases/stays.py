"""Repetitions of which nothing has the size."""

from __future__ import annotations

import torch
from torch import Tensor


def by_another_mask(values: Tensor) -> tuple[Tensor, Tensor]:
    mask, other = values > 0.3, values > 0.5
    chosen = values[other]
    rows = torch.arange(len(values), device=values.device).repeat_interleave(mask.sum(dim=1))
    return chosen, rows


def by_integers(values: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    counts = counts.long()
    chosen = values[counts]
    return chosen, torch.arange(len(values), device=values.device).repeat_interleave(counts.sum(dim=1))


def selected_later(values: Tensor) -> tuple[Tensor, Tensor]:
    mask = values > 0.3
    rows = torch.arange(len(values), device=values.device).repeat_interleave(mask.sum(dim=1))
    chosen = values[mask]
    return chosen, rows


def of_a_mask_that_is_written_to(values: Tensor) -> tuple[Tensor, Tensor]:
    mask = values > 0.3
    chosen = values[mask]
    mask[0] = True
    return chosen, torch.arange(len(values), device=values.device).repeat_interleave(mask.sum(dim=1))
