"""torch.where with a fill value that is a tensor on the CPU."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {
        "causal_scores": (torch.randn(2, 8, 8, device=device),),
        "finite_log": (torch.randn(64, device=device),),
        "clip_ratio": (torch.rand(64, device=device) + 0.5,),
    }


def causal_scores(scores: Tensor) -> Tensor:
    visible = torch.ones_like(scores, dtype=torch.bool).tril()
    minimum = torch.tensor(torch.finfo(scores.dtype).min)
    return torch.where(visible, scores, minimum).softmax(dim=-1)  # sync: SYN405


def finite_log(values: Tensor) -> Tensor:
    logs = values.log()
    return torch.where(logs.isfinite(), logs, torch.tensor(0.0))  # sync: SYN405


def clip_ratio(ratio: Tensor) -> Tensor:
    ceiling = torch.tensor(1.2)
    return ceiling.where(ratio > 1.2, ratio)  # sync: SYN405
