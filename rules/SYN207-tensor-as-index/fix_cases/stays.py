"""Integers that are read where they are used."""

from __future__ import annotations

from torch import Tensor


def once(values: Tensor, lengths: Tensor) -> Tensor:
    longest = lengths.max()
    return values[:longest]


def one_or_the_other(values: Tensor, lengths: Tensor, first: bool) -> Tensor:
    longest = lengths.max()
    if first:
        return values[:longest]
    return values[longest:]


def another_one_each_time(values: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    longest = lengths.max()
    first = values[:longest]
    longest = longest - 1
    return first, values[longest:]


def counted_on_the_device(values: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    longest = lengths.max()
    first = values[:longest]
    longest += 1
    return first, values[longest:]


def rows_that_are_not_counted(mask: Tensor, lengths: Tensor, order: list[int]) -> Tensor:
    for i in order:
        mask[i, : lengths[i]] = True
    return mask


def rows_of_another_number(mask: Tensor, lengths: Tensor) -> Tensor:
    for i in range(len(lengths)):
        mask[i, : lengths[i - 1]] = True
    return mask
