from __future__ import annotations

import torch
from torch import Tensor

# Later ones write numbers without a wait of their own.
TORCH = "2.14.0"


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x, y = torch.randn(4, 6, device=device), torch.randn(4, 6, device=device)
    return {
        "of_two": (x, y),
        "of_rows": (x, torch.randn(4, device=device)),
        "of_the_next_round": (x, [y]),
    }


def of_two(scores: Tensor, others: Tensor) -> Tensor:
    found = torch.nonzero(others > 0, as_tuple=True)
    scores[found] = 0.0
    others[found] = 1.0
    return scores + others


def of_rows(scores: Tensor, limits: Tensor) -> Tensor:
    found = torch.where(limits > 0)
    scores[found] = 0.0
    return scores


def of_the_next_round(target: Tensor, others: list[Tensor]) -> Tensor:
    found = torch.nonzero(target == 3, as_tuple=True)
    for other in others:
        target[found] = -1
        target = target + other
    return target
