"""Numbers that are put into a tensor of the CPU and copied."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"scaled": (torch.ones(2, 3, device=device),)}


def scaled(given: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    x = given.exp()
    scale = torch.tensor(0.5).to(x.device)  # a half
    count = torch.tensor(len(x), dtype=torch.int32).to(device=x.device)
    return x * scale, count, torch.as_tensor([0.0]).to(x.device)
