"""Builtins that go through tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values = torch.rand(4, device=device)
    return {"largest": ([values, values * 2],), "has_any": (values,), "has_all": (values,)}


def largest(parts: list[Tensor]) -> Tensor:
    return max(part.abs().max() for part in parts)


def has_any(values: Tensor) -> int:
    if any(values.flatten() > 1.5):
        return 1
    return 0


def has_all(values: Tensor) -> bool:
    found = all(values >= 0.0)
    return found
