"""Masks that select from several tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.randn(4, 3, device=device, requires_grad=True)
    boxes = torch.randn(4, 3, 2, device=device)
    torch.zeros(4, 3, device=device)
    return {"in_a_loop": ([scores, torch.randn(4, 3, device=device)],), "looked_up_already": (scores, boxes)}


def in_a_loop(all_scores: list[Tensor]) -> list[Tensor]:
    found = []
    for scores in all_scores:
        flat = scores.float().flatten()
        keep = flat > 0
        keep_positions = keep.nonzero(as_tuple=True)
        found.append(flat[keep_positions] * flat[keep_positions])
    return found


def looked_up_already(scores: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor]:
    flat = scores.float().flatten()
    keep = flat > 0
    places = torch.nonzero(keep, as_tuple=True)
    if len(boxes):
        return flat[places], places[0]
    return flat, places[0]
