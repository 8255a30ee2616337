"""Loops that read the elements of a tensor one by one."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.arange(1, 4, device=device) / 4
    return {"of_unknown_rank": (scores.long(),), "side_by_side": (scores, scores * 2)}


def of_unknown_rank(counts: Tensor) -> list[int]:
    return [int(count) for count in counts.tolist()]


def side_by_side(heights: Tensor, widths: Tensor) -> list[tuple[int, int]]:
    tallest, widest = heights.flatten() + 1, widths.flatten() + 1
    return [
        (int(h), int(w)) for h, w in zip(tallest.tolist(), widest.tolist(), strict=True)
    ]
