"""Masks that select from several tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.randn(4, 3, device=device, requires_grad=True)
    return {"in_a_loop": ([scores, torch.randn(4, 3, device=device)],)}


def in_a_loop(all_scores: list[Tensor]) -> list[Tensor]:
    found = []
    for scores in all_scores:
        flat = scores.float().flatten()
        keep = flat > 0
        keep_positions = keep.nonzero(as_tuple=True)
        found.append(flat[keep_positions] * flat[keep_positions])
    return found
