"""torch.where with a plain number, or with a scalar made on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def causal_scores(scores: Tensor) -> Tensor:
    visible = torch.ones_like(scores, dtype=torch.bool).tril()
    minimum = torch.finfo(scores.dtype).min
    return torch.where(visible, scores, minimum).softmax(dim=-1)


def finite_log(values: Tensor) -> Tensor:
    logs = values.log()
    return torch.where(logs.isfinite(), logs, 0.0)


def clip_ratio(ratio: Tensor) -> Tensor:
    ceiling = torch.full((), 1.2, device=ratio.device)
    return ceiling.where(ratio > 1.2, ratio)
