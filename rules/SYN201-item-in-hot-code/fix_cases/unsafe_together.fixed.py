"""Several numbers of which the types are not known."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"two": (torch.rand((), device=device), torch.rand((), device=device))}


def two(first: Tensor, second: Tensor) -> tuple[float, float]:
    a, b = torch.stack([first, second]).tolist()
    return a, b
