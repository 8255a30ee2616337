"""Exceptions that hang on a tensor."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"logarithm": (torch.ones(2, device=device),)}


def logarithm(x: Tensor) -> Tensor:
    torch._assert_async(~(x <= 0).any(), "only positive numbers have a logarithm")
    return x.log()
