"""Numbers of values that are less than a known one."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"counts": (torch.randint(0, 3, (9,), device=device), 4)}


def counts(values: Tensor, experts: int) -> Tensor:
    values = values.reshape(-1).long()
    return torch.bincount(values, minlength=experts)
