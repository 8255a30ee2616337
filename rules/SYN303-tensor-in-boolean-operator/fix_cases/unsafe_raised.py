"""Exceptions that hang on a tensor that is not true."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"logarithm": (torch.ones(2, device=device),)}


def logarithm(x: Tensor) -> Tensor:
    if not x.isfinite().all():
        raise ValueError(f"not finite: {x.shape}")
    if not (x > 0).all().item():
        raise ValueError("only positive numbers have a logarithm")
    return x.log()
