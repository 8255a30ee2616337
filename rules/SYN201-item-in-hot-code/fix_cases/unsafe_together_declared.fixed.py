"""Several numbers of one step."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    _logits, target = torch.randn(6, 4, device=device), torch.randint(0, 4, (6,), device=device)
    return {"counts": (target,)}


def counts(target: Tensor) -> tuple[int, int]:
    first = (target == 0).sum()
    second = (target > 1).sum()
    first_value, second_value = torch.stack([first, second]).tolist()
    return first_value, second_value
