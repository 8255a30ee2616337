"""Lines that make similar calls into CUDA and do not wait."""

from __future__ import annotations

import torch
from torch import Tensor


def shapes(x: Tensor) -> Tensor:
    found = torch.nonzero_static(x, size=4)
    return found.sum() + x.sum()


def copies(x: Tensor, large: Tensor) -> Tensor:
    pinned = torch.empty(8, 8, pin_memory=True)
    pinned.copy_(x, non_blocking=True)
    small = torch.zeros(8, 8)
    return small.to(x.device, non_blocking=True).sum()


def explicit(x: Tensor) -> Tensor:
    side = torch.cuda.Stream()
    done = torch.cuda.Event()
    done.record()
    done.query()
    side.wait_event(done)
    torch.cuda.current_stream().wait_stream(side)
    return x + 1


def memory(x: Tensor) -> Tensor:
    large = torch.empty(64_000_000, device=x.device)
    large.zero_()
    return x + 1
