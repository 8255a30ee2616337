"""Numbers that a kernel can write, with the type that ``torch.tensor`` infers."""

from __future__ import annotations

import torch as th
from torch import Tensor


def inputs(device: th.device) -> dict[str, tuple[object, ...]]:
    x = th.randn(4, 3, device=device)
    return {"lists_of_one": (x, 0.25), "in_two_lines": (x, 0.25), "learned": (x,)}


def lists_of_one(x: Tensor, momentum: float) -> Tensor:
    return th.full((1,), 1.0 - momentum, dtype=x.dtype, device=x.device)


def in_two_lines(activations: Tensor, momentum_of_the_average: float) -> Tensor:
    return th.full(
        (),
        1.0 - momentum_of_the_average * activations.shape[0],
        dtype=activations.dtype,
        device=activations.device,
    )


def learned(x: Tensor) -> tuple[Tensor, Tensor]:
    scale = th.full((), 2.0, device=x.device, requires_grad=True)
    return x * scale, th.full((), True, device=x.device)
