"""Losses that are added up."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    batches = [(torch.randn(6, 4, device=device), torch.randint(0, 4, (6,), device=device)) for _ in range(3)]
    return {"mean": (batches,), "weighted": (batches,)}


def mean(batches: list[tuple[Tensor, Tensor]]) -> float:
    total = 0.0
    for logits, target in batches:
        loss = F.cross_entropy(logits, target)
        total += loss.item()  # of the batch
    return total / len(batches)


def weighted(batches: list[tuple[Tensor, Tensor]]) -> float:
    total, seen = 0.0, 0
    summed = 0.0
    for logits, target in batches:
        loss = F.cross_entropy(logits, target)
        summed += loss.item() * target.size(0)
        seen += target.size(0)
    return (total + summed) / seen
