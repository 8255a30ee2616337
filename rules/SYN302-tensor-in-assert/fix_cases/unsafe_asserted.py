"""Assertions that the device can check."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"area": (torch.tensor([[0.0, 0.0, 2.0, 3.0]]).to(device),)}


def area(boxes: Tensor) -> Tensor:
    assert (boxes[:, 2:] >= boxes[:, :2]).all()
    assert boxes.isfinite().all(), "boxes must be finite"  # not more
    assert (boxes[:, 0] < 1).any(), f"too far to the right: {boxes}"
    return (boxes[:, 2:] - boxes[:, :2]).prod(dim=1)
