"""Numbers that a kernel can write, with the type that ``torch.tensor`` infers."""

from __future__ import annotations

import math

import torch as th
from torch import Tensor


def inputs(device: th.device) -> dict[str, tuple[object, ...]]:
    x = th.randn(4, 3, device=device)
    return {"numbers": (x,), "lists_of_one": (x,), "repeated": (x,)}


def numbers(x: Tensor) -> tuple[Tensor, ...]:
    half = th.tensor(0.5, device=x.device)  # a float
    count = th.tensor(len(x), device=x.device)
    scale = th.as_tensor(math.sqrt(x.shape[1]), device=x.device)
    return half, count, scale, th.tensor(0, device=x.device), th.tensor(0.0, device=x.device)


def lists_of_one(x: Tensor) -> tuple[Tensor, ...]:
    return (
        th.tensor([-1.0], device=x.device),
        th.tensor(
            [x.shape[0]],
            dtype=th.float,
            device=x.device,
        ),
    )


def repeated(x: Tensor) -> tuple[Tensor, ...]:
    return (
        th.tensor([1] * len(x), dtype=th.long, device=x.device),
        th.tensor([0.5] * x.shape[1], device=x.device),
        th.tensor([7] * 3, device=x.device),
        th.tensor(len(x) * [0], dtype=th.bool, device=x.device),
    )
