"""One of two tensors, chosen by one that ``not`` asks."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"probabilities": (torch.randn(3, 4, device=device),), "one_or_the_other": (torch.rand(4, device=device),)}


def probabilities(preds: Tensor) -> Tensor:
    if not torch.all((preds >= 0) * (preds <= 1)):
        preds = preds.softmax(1)
    return preds.max(dim=1).values


def one_or_the_other(x: Tensor) -> Tensor:
    if not (x > 0.5).any():
        found = x * 2
    else:
        found = x * 3
    return found + 1
