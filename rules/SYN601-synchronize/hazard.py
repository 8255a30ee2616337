"""Waits that the code asks for: to time a step, to order two streams, to wait for an event."""

from __future__ import annotations

import time

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    batch = (torch.randn(64, 32, device=device), torch.randn(32, 32, device=device))
    return {"timed_steps": batch, "prefetch": batch, "after_event": batch}


def timed_steps(features: Tensor, weight: Tensor) -> Tensor:
    seconds = 0.0
    for _ in range(3):
        start = time.perf_counter()
        features = torch.tanh(features @ weight)
        if features.is_cuda:
            torch.cuda.synchronize()  # sync: SYN601
        seconds += time.perf_counter() - start
    return features


def prefetch(features: Tensor, weight: Tensor) -> Tensor:
    if not features.is_cuda:
        return torch.tanh(features @ weight)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        projected = features @ weight
    side.synchronize()  # sync: SYN601
    return torch.tanh(projected)


def after_event(features: Tensor, weight: Tensor) -> Tensor:
    projected = features @ weight
    if projected.is_cuda:
        done = torch.cuda.Event()
        done.record()
        done.synchronize()  # sync: SYN601
    return torch.tanh(projected)
