"""Conditions on which an exception hangs, or more than a choice."""

from __future__ import annotations

import torch
from torch import Tensor


def with_a_function_of_its_own(x: Tensor) -> Tensor:
    if (x <= 0).any():
        x = made_positive(x)
    return x


def made_positive(x: Tensor) -> Tensor:
    return x.abs()


def one_exception(x: Tensor) -> Tensor:
    if (x <= 0).any():
        raise ValueError("not positive")
    return x.log()


def said_first(x: Tensor) -> Tensor:
    if (x <= 0).any():
        print("not positive")
        raise ValueError
    return x


def one_of_two(x: Tensor, strict: bool) -> Tensor:
    if not strict:
        return x
    elif (x <= 0).any():
        raise ValueError("not positive")
    return x


def of_one_number(x: Tensor) -> Tensor:
    if x.norm() <= x.sum():
        raise ValueError("not positive")
    return torch.log(x)


def with_more_than_a_choice(values: Tensor, log: list[str]) -> Tensor:
    norm = values.norm()
    if norm > 1.0:
        log.append("too long")
        values = values / norm
    return values


def of_another_mask(values: Tensor) -> Tensor:
    hidden, other = values > 0.5, values > 0.7
    if hidden.any():
        values[other] = 0.0
    return values


def of_what_was_no_tensor(values: Tensor) -> object:
    found = None
    if values.norm() > 1.0:
        found = values * 2
    return found


def scaled_by_something_else(values: Tensor, loss_scale: float) -> Tensor:
    scale = 1.0
    clip = values.norm() / 0.5
    if clip > 1:
        scale = clip * loss_scale
    return values / scale


def of_another_bound(values: Tensor, loss_scale: float) -> Tensor:
    scale = loss_scale
    clip = values.norm() / 0.5
    if clip > 2:
        scale = clip * loss_scale
    return values / scale


def that_does_not_multiply(values: Tensor, is_clipped: bool, log: list[Tensor]) -> list[Tensor]:
    factor = values.norm() if is_clipped else 1.0
    if factor != 1.0:
        log.append(values)
    return log


def with_a_tensor_on_the_host(steps: Tensor, position: Tensor) -> Tensor:
    if position > 3:
        step = torch.tensor(-1)
    else:
        step = steps[position]
    return step
