"""Numbers that neighbouring statements read from one tensor."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    boxes = torch.randint(1, 9, (5, 2), device=device)
    return {"extent": (boxes,), "kept": ([], boxes.float())}


def extent(boxes: Tensor) -> tuple[int, int]:
    height = int(boxes[:, 0].max().item()) + 1
    width = int(boxes[:, 1].max().item()) + 1
    return height, width


def kept(history: list[float], boxes: Tensor) -> list[float]:
    floats = boxes.float()
    history.append(floats.mean().item())
    history.append(floats.sum().item())
    return history
