"""Numbers of one step, by `float` and `int`."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    logits, target = torch.randn(6, 4, device=device), torch.randint(0, 4, (6,), device=device)
    return {"counted": ([(logits, target), (logits + 1.0, target)],)}


def counted(batches: list[tuple[Tensor, Tensor]]) -> int:
    right = 0
    for logits, target in batches:
        right += int((logits.argmax(dim=-1) == target).sum())
    return right
