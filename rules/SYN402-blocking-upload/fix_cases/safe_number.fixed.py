"""Numbers that are put into a tensor of the CPU and copied."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"scaled": (torch.ones(2, 3, device=device),)}


def scaled(given: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    x = given.exp()
    scale = torch.full((), 0.5, device=x.device)  # a half
    count = torch.full((), len(x), dtype=torch.int32, device=x.device)
    return x * scale, count, torch.zeros((1,), device=x.device)
