"""Numbers of which only an annotation says what they are, counts that may be zero, what may be an array or uint64."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 3, device=device)
    numbers = {"weighted": (x, 0.5), "timesteps": (x, 3), "of_any_type": (x,)}
    return {**numbers, "of_a_list_it_is_said": (x, [1.0, 2.0, 3.0])}


def weighted(x: Tensor, weight: float) -> Tensor:
    return x * torch.full((), weight, device=x.device)


def timesteps(x: Tensor, step: int) -> Tensor:
    return torch.full((x.shape[0],), step, device=x.device)


def of_a_list_it_is_said(x: Tensor, counts: list[float]) -> Tensor:
    return x * torch.tensor(counts, pin_memory=x.is_cuda).to(x.device, non_blocking=True)


def of_any_type(x: Tensor) -> Tensor:
    return x * x.new_full((), 2.0)
