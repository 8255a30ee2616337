"""Masks that select from several tensors."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.randn(4, 3, device=device, requires_grad=True)
    boxes = torch.randn(4, 3, 2, device=device)
    nothing = torch.zeros(4, 3, device=device)
    return {"of_two": (scores, boxes), "stacked": (boxes,), "of_nothing": (nothing, boxes)}


def of_two(scores: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    flat = scores.flatten()
    keep = flat > 0
    keep_positions = keep.nonzero(as_tuple=True)
    kept = flat[keep_positions]
    rows = boxes.flatten(0, 1)[keep_positions]
    flat = flat * 2
    return kept, rows, flat[keep_positions]


def stacked(boxes: Tensor) -> tuple[Tensor, Tensor]:
    left, right = boxes.unbind(-1)
    keep = torch.stack((left > 0, right > 0))
    keep = keep & True
    keep_positions = keep.nonzero(as_tuple=True)
    return (
        torch.stack((left, right))[keep_positions] + 1,
        torch.stack((right, left))[keep_positions],
    )


def of_nothing(scores: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor]:
    flat = scores.flatten()
    keep = flat > 0
    keep_positions = keep.nonzero(as_tuple=True)
    return flat[keep_positions], boxes.flatten(0, 1)[keep_positions]
