"""Numbers that a kernel can write, with the type that ``torch.tensor`` infers."""

from __future__ import annotations

import math

import torch as th
from torch import Tensor


def inputs(device: th.device) -> dict[str, tuple[object, ...]]:
    x = th.randn(4, 3, device=device)
    return {"numbers": (x,), "lists_of_one": (x,), "repeated": (x,)}


def numbers(x: Tensor) -> tuple[Tensor, ...]:
    half = th.full((), 0.5, device=x.device)  # a float
    count = th.full((), len(x), device=x.device)
    scale = th.full((), math.sqrt(x.shape[1]), device=x.device)
    return (
        half,
        count,
        scale,
        th.full((), 0, device=x.device),
        th.zeros((), device=x.device),
    )


def lists_of_one(x: Tensor) -> tuple[Tensor, ...]:
    return (
        th.full((1,), -1.0, device=x.device),
        th.full((1,), x.shape[0], dtype=th.float, device=x.device),
    )


def repeated(x: Tensor) -> tuple[Tensor, ...]:
    return (
        th.ones((len(x),), dtype=th.long, device=x.device),
        th.full((x.shape[1],), 0.5, device=x.device),
        th.full((3,), 7, device=x.device),
        th.zeros((len(x),), dtype=th.bool, device=x.device),
    )
