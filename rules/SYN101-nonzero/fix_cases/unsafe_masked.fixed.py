from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    labels = torch.randint(0, 4, (3, 5), device=device)
    scores = torch.randn(3, 5, device=device).log()
    return {
        "ignored": (labels,),
        "named": (labels,),
        "without_nan": (scores,),
        "clipped": (scores,),
        "of_a_copy": (torch.randn(3, 5, device=device, requires_grad=True),),
    }


def ignored(target: Tensor) -> Tensor:
    target[target == 3] = -1  # background
    return target


def named(target: Tensor) -> Tensor:
    inds = target == 3
    # reset all "background" labels
    target[inds] = -1
    return target


def without_nan(scores: Tensor) -> Tensor:
    scores[torch.isnan(scores) | (scores == 0)] = 0.0
    return scores


def clipped(scores: Tensor) -> Tensor:
    scores[scores > 1] = 1
    return scores


def of_a_copy(scores: Tensor) -> Tensor:
    copy = scores.clone()
    copy[copy < 0] = 0.5
    return copy * 2
