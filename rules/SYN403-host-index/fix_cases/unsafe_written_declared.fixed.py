"""Calculations through lists, with something that may share the memory of what is written to."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    boxes = torch.randn(4, 6, device=device)
    return {
        "shifted": (boxes, (1.0, 2.0)),
        "shifted_by_itself": (torch.randn(4, 6, device=device),),
        "scaled": (torch.randn(4, 6, device=device).half(), torch.rand(4, 2, device=device, requires_grad=True)),
    }


def shifted(boxes: Tensor, pad) -> Tensor:
    boxes[..., 0:3:2] = boxes[..., 0:3:2] - pad[0]  # x padding
    boxes[..., 1:4:2] = boxes[..., 1:4:2].clone() * pad[1]
    return boxes


def shifted_by_itself(boxes: Tensor) -> Tensor:
    left = boxes[:, :2]
    boxes[:, 1:3] = boxes[:, 1:3] + left
    boxes[:, 0:3] = boxes[:, 0:3].clone() / boxes[:, 1:4]
    return boxes


def scaled(boxes: Tensor, factor: Tensor) -> Tensor:
    boxes[..., 2:4] = boxes[..., 2:4].clone() * factor
    return boxes
