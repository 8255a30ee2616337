"""Loops that read the elements of a tensor one by one."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.arange(1, 4, device=device) / 4
    return {"listed": (scores,), "in_a_loop": (scores,), "of_several": ([scores, scores + 1],)}


def listed(scores: Tensor) -> list[float]:
    return scores.float().flatten().tolist()


def in_a_loop(scores: Tensor) -> float:
    best = 0.0
    for score in scores.float().flatten().tolist():
        best = max(best, score)
    return best


def of_several(rows: list[Tensor]) -> list[float]:
    return [score for row in rows for score in row.float().flatten().tolist()]
