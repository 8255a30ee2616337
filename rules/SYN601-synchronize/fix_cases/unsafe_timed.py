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
        torch.cuda.synchronize()
        t0 = time.perf_counter()
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()  # for the clock
        t1 = time.perf_counter()
        optimizer.zero_grad()
        dt = t1 - t0
        times.append(dt)
    return times


def train_summed(model: nn.Module, batches: Tensor) -> float:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    seconds = 0.0
    for batch in batches:
        torch.cuda.synchronize()
        start = perf_counter()
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()
        seconds += perf_counter() - start
    return seconds


def train_logged(model: nn.Module, batches: Tensor) -> list[str]:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    lines = []
    for batch in batches:
        torch.cuda.synchronize()
        start = time.time()
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()
        end = time.time()
        lines.append(f"{(end - start) * 1000:.1f} ms")
    return lines
