from __future__ import annotations

import time

import torch
from torch import Tensor, nn


def train_with_the_host(model: nn.Module, batches: Tensor) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for batch in batches:
        start = time.perf_counter()
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()
        print(time.perf_counter() - start)


def train_by_the_time_of_day(model: nn.Module, batches: Tensor) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for batch in batches:
        torch.cuda.synchronize()
        start = time.time()
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()
        end = time.time()
        print(start, end, end - start)


def train_with_something_between(model: nn.Module, batches: Tensor) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for batch in batches:
        torch.cuda.synchronize()
        optimizer.zero_grad()
        start = time.time()
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()
        print("done")
        end = time.time()
        print(end - start)


def train_on_another_device(model: nn.Module, batches: Tensor) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for batch in batches:
        torch.cuda.synchronize(1)
        start = time.time()
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize(1)
        end = time.time()
        print(end - start)


def train_in_order(model: nn.Module, batches: Tensor) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()


def train_beside(model: nn.Module, batches: Tensor, kept: list[Tensor]) -> None:
    side = torch.cuda.Stream()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for batch in batches:
        model(batch).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()
        kept.append(batch)
        with torch.cuda.stream(side):
            batch.mul_(2)
