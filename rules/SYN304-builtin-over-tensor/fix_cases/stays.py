"""Builtins that need what they ask for."""

from __future__ import annotations

from torch import Tensor


def of_two_tensors(values: Tensor) -> Tensor:
    return max(values.sum(), values.max())


def with_a_key(values: Tensor) -> Tensor:
    return max(values.sum(), 1, key=abs)
