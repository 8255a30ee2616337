from __future__ import annotations

import torch
from torch import Tensor, nn

# Later ones write numbers without a wait of their own.
TORCH = "2.14.0"


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x, y = torch.randn(4, 6, device=device), torch.randn(4, 6, device=device)
    return {
        "of_two": (x, y),
        "of_rows": (x, torch.randn(4, device=device)),
        "of_the_next_round": (x, [y]),
        "of_a_module": (torch.randint(0, 10, (4, 6), device=device),),
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


class Ignore(nn.Module):
    def __init__(self, ignore_val=-1, num_classes=10) -> None:
        super().__init__()
        self.ignore_val = ignore_val
        self.num_classes = num_classes

    def forward(self, target: Tensor) -> Tensor:
        with torch.profiler.record_function("nonzero"):
            inds = torch.nonzero(target == self.num_classes - 1, as_tuple=True)
        with torch.profiler.record_function("write"):
            target[inds] = self.ignore_val
        return target


def of_a_module(target: Tensor) -> Tensor:
    return Ignore()(target)
