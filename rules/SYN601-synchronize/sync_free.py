"""The same steps, timed by events and ordered on the device."""

from __future__ import annotations

import torch
from torch import Tensor


def timed_steps(features: Tensor, weight: Tensor) -> Tensor:
    timings = []
    for _ in range(3):
        if features.is_cuda:
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            features = torch.tanh(features @ weight)
            end.record()
            timings.append((start, end))
        else:
            features = torch.tanh(features @ weight)
    return features


def prefetch(features: Tensor, weight: Tensor) -> Tensor:
    if not features.is_cuda:
        return torch.tanh(features @ weight)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        projected = features @ weight
    torch.cuda.current_stream().wait_stream(side)
    projected.record_stream(torch.cuda.current_stream())
    return torch.tanh(projected)


def after_event(features: Tensor, weight: Tensor) -> Tensor:
    projected = features @ weight
    if projected.is_cuda:
        done = torch.cuda.Event()
        done.record()
        torch.cuda.current_stream().wait_event(done)
    return torch.tanh(projected)
