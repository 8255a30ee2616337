"""Writes through masks of as many values as there are places."""

from __future__ import annotations

from torch import Tensor


def of_other_values(x: Tensor, values: Tensor) -> Tensor:
    x[x > 0] = values
    return x


def from_other_places(x: Tensor, y: Tensor) -> Tensor:
    here, there = x > 0, y > 0
    x[here] = y[there]
    return x


def of_a_number(x: Tensor) -> Tensor:
    x[x > 0] = 1.0
    return x


def once(x: Tensor, values: Tensor) -> Tensor:
    chosen = x.flatten() > 0
    x.flatten()[chosen] = values
    return x


def of_rows_that_are_computed(x: Tensor, found: Tensor) -> Tensor:
    rows = x * 2
    chosen = rows.sum(dim=1) > 0
    rows[chosen] = found
    return rows
