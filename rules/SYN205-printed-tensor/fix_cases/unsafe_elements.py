"""Elements that are formatted one by one."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.arange(1, 4, device=device) / 8
    return {"described": (torch.stack([scores, scores * 2]),)}


def described(scores: Tensor) -> list[str]:
    lines = []
    for row in scores:
        lines.append(", ".join(f"{row[place]:.2f}" for place in range(3)))
    return lines
