"""Optimizers under a gradient scaler."""

from __future__ import annotations

import torch
from torch import Tensor

NEEDS_CUDA = True


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    return {"one_step": (torch.randn(4, 3, device=device), torch.randn(3, device=device, requires_grad=True))}


def one_step(x: Tensor, weight: Tensor) -> Tensor:
    optimizer = torch.optim.AdamW([weight], lr=0.1, fused=True)
    scaler = torch.amp.GradScaler("cuda")
    loss = (x @ weight).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    return weight.detach().clone()
