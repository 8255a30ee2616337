"""Losses over the elements that are no padding."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    logits = torch.randn(2, 5, 4, device=device, requires_grad=True)
    target = torch.tensor([[0, 3, -100, 2, -100], [1, -100, 2, 2, 0]]).pin_memory().to(
        device, non_blocking=True
    )
    return {
        "of_sequences": (logits, target),
        "of_rows": (logits.detach()[0].clone().requires_grad_(), target[0].clone()),
        "summed": (logits, target),
    }


def of_sequences(logits: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    keep = target != -100
    return (
        F.cross_entropy(logits.flatten(0, -2), target.flatten(), ignore_index=-100),
        keep,
    )


def of_rows(logits: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(
        logits.flatten(0, -2),
        target.flatten(),  # without padding
        ignore_index=-100,
    )


def summed(logits: Tensor, target: Tensor) -> Tensor:
    keep = target != -100
    return F.nll_loss(
        logits.flatten(0, -2), target.flatten(), reduction="sum", ignore_index=-100
    ) / keep.sum()
