"""Writes of something else than a number, or into something else than a tensor."""

from __future__ import annotations

from torch import Tensor


def into_a_list(rows: list[float]) -> list[float]:
    rows[0] = 1.0
    return rows


def into_what_a_call_gives(make) -> None:
    make()[0, 0] = 1.0


def of_what_may_be_anywhere(x: Tensor, pick) -> Tensor:
    x[0:2] = pick()
    return x
