"""Numbers of one step, by `float` and `int`."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    logits, target = torch.randn(6, 4, device=device), torch.randint(0, 4, (6,), device=device)
    return {"two": (logits, target)}


def two(logits: Tensor, target: Tensor) -> tuple[float, float]:
    loss = F.cross_entropy(logits, target)
    norm = logits.norm()
    loss_value, norm_value = torch.stack([loss, norm]).tolist()
    return loss_value, round(norm_value, 3)
