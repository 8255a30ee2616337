"""Lines that wait each in a way of its own, for a trace to be recorded of them."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    x = torch.zeros(8, 8, device=device)
    return {
        "shapes": (x,),
        "copies": (x, torch.zeros(100_000)),
        "explicit": (x,),
        "memory": (x,),
    }


def shapes(x: Tensor) -> Tensor:
    found = x.nonzero()  # sync: SYN900
    rows = torch.unique(x, dim=0)  # sync: SYN900
    named = torch.ops.aten.nonzero(x)  # sync: SYN900
    return found.sum() + rows.sum() + named.sum()


def copies(x: Tensor, large: Tensor) -> Tensor:
    host = torch.empty(8, 8)
    host.copy_(x, non_blocking=True)  # sync: SYN900
    moved = large.to(x.device, non_blocking=True)  # sync: SYN900
    blocking = host.to(x.device)  # sync: SYN900
    return moved.sum() + blocking.sum()


def explicit(x: Tensor) -> Tensor:
    done = torch.cuda.Event()
    done.record()
    done.synchronize()  # sync: SYN900
    torch.cuda.current_stream().synchronize()  # sync: SYN900
    torch.accelerator.synchronize()  # sync: SYN900
    return x + 1


def memory(x: Tensor) -> Tensor:
    large = torch.empty(64_000_000, device=x.device)
    large.zero_()
    del large
    torch.cuda.empty_cache()  # sync: SYN900
    return x + 1
