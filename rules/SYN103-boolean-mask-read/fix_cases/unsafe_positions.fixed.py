"""Masks of which the number of dimensions is not known."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    target = torch.arange(4, device=device).view(2, 2)
    return {"of_unknown_rank": (torch.randn(2, 2, device=device), target)}


def of_unknown_rank(prediction: Tensor, target: Tensor) -> Tensor:
    valid = target > 0
    valid_positions = valid.nonzero(as_tuple=True)
    prediction = prediction[valid_positions]
    target = target[valid_positions]
    return prediction.sum() * target.sum()
