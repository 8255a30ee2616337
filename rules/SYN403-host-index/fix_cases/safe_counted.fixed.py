"""Ranges that the device can count: they begin at zero, and end at a size."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 6, device=device, requires_grad=True)
    classes = torch.arange(4, device=device)
    return {"picked": (x, classes), "marked": (torch.randn(4, 6, device=device), classes)}


def picked(x: Tensor, classes: Tensor) -> Tensor:
    scores = x.log_softmax(-1)
    return scores[torch.arange(len(classes), device=scores.device), classes] + scores[
        torch.arange(4, device=scores.device), classes
    ]


def marked(y: Tensor, classes: Tensor) -> Tensor:
    scores = y.softmax(-1)
    scores[torch.arange(4, device=scores.device), classes] = y.sum()
    return scores
