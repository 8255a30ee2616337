from __future__ import annotations

import torch
from torch import Tensor


def values_are_used(target: Tensor, loss: Tensor) -> tuple[Tensor, Tensor]:
    unique = torch.unique(target)
    loss = loss * 2
    if len(unique) < 2:
        loss = 0.0 * loss
    return loss, unique


def rows_are_counted(target: Tensor, loss: Tensor) -> Tensor:
    loss = loss * 2
    if len(torch.unique(target, dim=0)) < 2:
        loss = 0.0 * loss
    return loss


def something_else_is_done(target: Tensor, loss: Tensor) -> Tensor:
    if len(torch.unique(target)) < 2:
        print("one label only")
    return loss


def number_is_returned(target: Tensor) -> int:
    return len(torch.unique(target))


def with_counts(target: Tensor, loss: Tensor) -> Tensor:
    loss = loss * 2
    if len(torch.unique(target, return_counts=True)) < 2:
        loss = 0.0 * loss
    return loss


def flag_is_used_twice(target: Tensor, loss: Tensor) -> Tensor:
    alone = len(torch.unique(target)) < 2
    loss = loss * 2
    if alone:
        loss = 0.0 * loss
    return loss if alone else loss + 1
