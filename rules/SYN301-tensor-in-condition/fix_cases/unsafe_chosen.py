"""One of two tensors, chosen by a third."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values = torch.rand(4, device=device)
    return {"scaled": (values,), "one_or_the_other": (values,), "masked": (values,), "positive": (values - 0.5,)}


def scaled(values: Tensor) -> Tensor:
    norm = values.norm()
    if norm > 1.0:
        values = values / norm
    return values


def one_or_the_other(values: Tensor) -> Tensor:
    first, second = values.sum(), values.max()
    if first > second:
        found = values * first
    else:
        found = values * second
    return found + 1


def masked(values: Tensor) -> Tensor:
    hidden = values > 0.5
    if hidden.any():
        values = values.masked_fill(hidden.view(-1), 0.0)
    return values * 2


def positive(values: Tensor) -> Tensor:
    if (values <= 0.5).any():
        values = values.abs()
    return values
