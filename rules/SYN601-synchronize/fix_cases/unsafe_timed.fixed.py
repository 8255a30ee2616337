"""Training steps that are timed on the host, which has to wait for that."""

from __future__ import annotations

import time
from time import perf_counter

import torch
from torch import Tensor, nn

NEEDS_CUDA = True
DIFFERS = {"train": "the time is another one", "train_summed": "the same", "train_logged": "the same"}


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    batch = (nn.Linear(32, 1, device=device), torch.randn(3, 64, 32, device=device))
    return {"train": batch, "train_summed": batch, "train_logged": batch}


def now() -> float:
    return time.time() + perf_counter()


def train(model: nn.Module, batches: Tensor) -> list[float]:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    times = []
    for batch in batches:
        t0 = torch.cuda.Event(enable_timing=True)
        t0.record()
        model(batch).mean().backward()
        optimizer.step()
        t1 = torch.cuda.Event(enable_timing=True)  # for the clock
        t1.record()
        optimizer.zero_grad()
        t1.synchronize()
        dt = t0.elapsed_time(t1) / 1000
        times.append(dt)
    return times


def train_summed(model: nn.Module, batches: Tensor) -> float:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    seconds = 0.0
    for batch in batches:
        start = torch.cuda.Event(enable_timing=True)
        start.record()
        model(batch).mean().backward()
        optimizer.step()
        start_end = torch.cuda.Event(enable_timing=True)
        start_end.record()
        start_end.synchronize()
        seconds += start.elapsed_time(start_end) / 1000
    return seconds


def train_logged(model: nn.Module, batches: Tensor) -> list[str]:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    lines = []
    for batch in batches:
        start = torch.cuda.Event(enable_timing=True)
        start.record()
        model(batch).mean().backward()
        optimizer.step()
        end = torch.cuda.Event(enable_timing=True)
        end.record()
        end.synchronize()
        lines.append(f"{(start.elapsed_time(end) / 1000) * 1000:.1f} ms")
    return lines
