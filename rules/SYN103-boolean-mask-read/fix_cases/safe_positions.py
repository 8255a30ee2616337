"""Masks that select from several tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.randn(4, 3, device=device, requires_grad=True)
    boxes = torch.randn(4, 3, 2, device=device)
    nothing = torch.zeros(4, 3, device=device)
    return {
        "of_two": (scores, boxes),
        "stacked": (boxes,),
        "in_a_loop": ([scores, torch.randn(4, 3, device=device)],),
        "looked_up_already": (scores, boxes),
        "of_nothing": (nothing, boxes),
    }


def of_two(scores: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    flat = scores.flatten()
    keep = flat > 0
    kept = flat[keep]
    rows = boxes.flatten(0, 1)[keep]
    flat = flat * 2
    return kept, rows, flat[keep]


def stacked(boxes: Tensor) -> tuple[Tensor, Tensor]:
    left, right = boxes.unbind(-1)
    keep = torch.stack((left > 0, right > 0))
    keep = keep & True
    return torch.stack((left, right))[keep] + 1, torch.stack((right, left))[keep]


def in_a_loop(all_scores: list[Tensor]) -> list[Tensor]:
    found = []
    for scores in all_scores:
        flat = scores.flatten()
        keep = flat > 0
        found.append(flat[keep] * flat[keep])
    return found


def looked_up_already(scores: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor]:
    flat = scores.flatten()
    keep = flat > 0
    places = torch.nonzero(keep, as_tuple=True)
    if len(boxes):
        return flat[keep], places[0]
    return flat, places[0]


def of_nothing(scores: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor]:
    flat = scores.flatten()
    keep = flat > 0
    return flat[keep], boxes.flatten(0, 1)[keep]
