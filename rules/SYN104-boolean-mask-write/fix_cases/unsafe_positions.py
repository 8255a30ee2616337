"""Masks through which several tensors are written."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.randn(5, device=device)
    return {"written_and_read": (scores, torch.randn(5, 2, device=device)), "of_rows": (scores,)}


def written_and_read(scores: Tensor, rows: Tensor) -> Tensor:
    keep = scores.flatten() > 0
    picked = rows.flatten(1)[keep]
    table = torch.zeros_like(rows)
    table[keep] = picked + 1
    return table


def of_rows(x: Tensor) -> Tensor:
    kept = torch.ones(4, dtype=torch.bool, device=x.device)
    rows, others = torch.zeros(4, 3, device=x.device), torch.ones(4, 3, device=x.device)
    rows[kept] = others[kept]
    return rows
