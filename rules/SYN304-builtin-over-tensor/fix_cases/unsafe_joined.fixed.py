"""Builtins that go through tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values = torch.rand(4, device=device)
    return {"largest": ([values, values * 2],), "has_any": (values,), "has_all": (values,)}


def largest(parts: list[Tensor]) -> Tensor:
    return torch.stack([part.abs().max() for part in parts]).max()


def has_any(values: Tensor) -> int:
    if (values.flatten() > 1.5).any():
        return 1
    return 0


def has_all(values: Tensor) -> bool:
    found = bool((values >= 0.0).all())
    return found
