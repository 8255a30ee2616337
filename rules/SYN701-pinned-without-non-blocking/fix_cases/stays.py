"""Copies of pinned memory that the host could overwrite before they are made, or that do more than to copy."""

from __future__ import annotations

import torch
from torch import Tensor


def written_afterwards(x: Tensor, steps: int) -> list[Tensor]:
    buffer = torch.empty(8).pin_memory()
    results = []
    for step in range(steps):
        buffer[:] = step
        results.append(x + buffer.to(x.device))
    return results


def filled_afterwards(x: Tensor) -> Tensor:
    buffer = torch.zeros(8).pin_memory()
    y = x + buffer.cuda()
    buffer.fill_(1.0)
    return y + buffer.cuda()


def pinned_by_somebody_else(data: Tensor, x: Tensor) -> Tensor:
    source = data.pin_memory()
    return x + source.pin_memory().to(x.device)


def back_to_the_host(x: Tensor) -> Tensor:
    return x.cpu()
