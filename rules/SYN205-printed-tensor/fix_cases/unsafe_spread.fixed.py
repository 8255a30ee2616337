"""Elements that are formatted as numbers."""

# ruff: noqa: UP031

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    scores = torch.arange(1, 4, device=device) / 8
    return {"described": (scores,)}


def described(scores: Tensor) -> str:
    return "%s: %.3f %.3f %.3f" % ("scores", *scores.tolist())
