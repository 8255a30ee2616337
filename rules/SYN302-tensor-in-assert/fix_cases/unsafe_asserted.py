"""Assertions that the device can check."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"area": (torch.arange(4.0, device=device).unsqueeze(0),), "of_a_maximum": (torch.ones(4, device=device),)}


def area(boxes: Tensor) -> Tensor:
    assert (boxes[:, 2:] >= boxes[:, :2]).all()
    assert boxes.isfinite().all(), "boxes must be finite"  # not more
    assert (boxes[:, 0] < 1).any(), f"too far to the right: {boxes}"
    return (boxes[:, 2:] - boxes[:, :2]).prod(dim=1)


def of_a_maximum(labels: Tensor) -> Tensor:
    assert labels.max() <= 3, "at most three classes"
    return labels + 1
