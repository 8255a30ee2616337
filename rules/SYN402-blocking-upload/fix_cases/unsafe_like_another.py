"""Tensors made of numbers and moved to one that may be of a class of its own, or to what may be no device."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 3, device=device)
    return {"like_another": (x,), "told": (x, device)}


def like_another(given: Tensor) -> tuple[Tensor, ...]:
    x = given.exp()
    return torch.zeros(len(x)).to(x), torch.ones(
        x.shape[0],
        x.shape[1],
    ).type_as(x)


def told(x: Tensor, device: torch.device) -> Tensor:
    return x + torch.zeros(3).to(device)
