"""Optimizers that have no fused kernel, or for which something else was decided."""

from __future__ import annotations

import torch
from torch import Tensor


def without_a_kernel(loss: Tensor, weight: Tensor) -> None:
    optimizer = torch.optim.RMSprop([weight], lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    scaler.scale(loss).backward()
    scaler.step(optimizer)


def one_by_one(loss: Tensor, weight: Tensor) -> None:
    optimizer = torch.optim.AdamW([weight], lr=0.1, foreach=False)
    scaler = torch.amp.GradScaler("cuda")
    scaler.scale(loss).backward()
    scaler.step(optimizer)


def of_somebody_else(loss: Tensor, optimizer: torch.optim.Optimizer) -> None:
    scaler = torch.amp.GradScaler("cuda")
    scaler.scale(loss).backward()
    scaler.step(optimizer)
