"""Numbers that neighbouring statements read from one tensor."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    boxes = torch.randint(1, 9, (5, 2), device=device)
    return {"extent": (boxes,)}


def extent(boxes: Tensor) -> tuple[int, int]:
    height = int(boxes[:, 0].max().item()) + 1
    width = int(boxes[:, 1].max().item()) + 1
    return height, width
