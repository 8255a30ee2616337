"""Counts of which the number is not known, or of something else."""

from __future__ import annotations

import torch
from torch import Tensor


def of_any_number(values: Tensor) -> Tensor:
    values = values.long()
    return torch.bincount(values)


def with_weights(values: Tensor, weights: Tensor) -> Tensor:
    values = values.long()
    return torch.bincount(values, weights, minlength=4)


def by_a_computed_number(values: Tensor, sizes: list[int]) -> Tensor:
    values = values.long()
    return torch.bincount(values, minlength=max(sizes) + 1)
