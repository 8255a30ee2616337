"""Numbers that neighbouring statements read from one tensor."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    boxes = torch.randint(1, 9, (5, 2), device=device)
    return {"extent": (boxes,)}


def extent(boxes: Tensor) -> tuple[int, int]:
    boxes_value, boxes_value_2 = torch.stack(
        [boxes[:, 0].max(), boxes[:, 1].max()]
    ).tolist()
    height = int(boxes_value) + 1
    width = int(boxes_value_2) + 1
    return height, width
