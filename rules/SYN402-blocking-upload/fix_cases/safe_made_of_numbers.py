"""Tensors made on the CPU from numbers, and copied."""

from __future__ import annotations

import torch
import torch as th
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.randn(4, 3, device=device)
    return {"masks": (x,), "counted": (x,)}


def masks(given: Tensor) -> tuple[Tensor, ...]:
    x = given.exp()
    future = torch.ones(len(x), len(x), dtype=torch.bool).triu(diagonal=1).to(x.device)  # above the diagonal
    nothing = ~th.zeros(x.shape[0]).to(device=x.device, dtype=torch.bool)
    return future, nothing


def counted(given: Tensor) -> tuple[Tensor, ...]:
    x = given.exp()
    rows = torch.arange(len(x)).unsqueeze(-1).to(x.device)
    return rows, torch.full((2,), 0.5).to(x.device), torch.eye(3).to(x.device)
