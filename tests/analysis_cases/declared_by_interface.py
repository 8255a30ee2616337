# case: functions-that-a-constructor-is-given-are-those-called
from collections.abc import Callable

import torch


def told(found) -> None:
    if found:  # sync: SYN301
        print("found")


def counted(found) -> None:
    if found:
        print("counted")


class Watch:
    def __init__(self, tell: Callable[[object], None], count: Callable[[object], None]) -> None:
        self.tell = tell
        self.count = count

    def look(self, scores: torch.Tensor) -> None:
        self.tell(scores.amax() > 3)
        self.count(scores.shape[0] > 3)


def train(model, optimizer) -> None:
    watch = Watch(told, counted)
    for _ in range(1000):
        scores = model(torch.ones(8, device="cuda"))
        scores.mean().backward()
        optimizer.step()
        watch.look(scores)


# case: what-a-declared-function-returns-is-known-where-nobody-gives-one
from collections.abc import Callable

import torch


class Watch:
    def __init__(self, score: Callable[[int], torch.Tensor]) -> None:
        self.score = score

    def look(self) -> int:
        return 1 if self.score(3) > 0 else 0  # sync: SYN301


# case: what-a-declared-function-returns-is-kept-beside-what-it-is
from collections.abc import Callable
from typing import Any

import torch


def loaded(path: int) -> Any:
    return __import__("scores").load(path)


class Watch:
    def __init__(self, score: Callable[[int], torch.Tensor]) -> None:
        self.score = score

    def look(self) -> int:
        return 1 if self.score(3) > 0 else 0  # sync: SYN301


def check() -> int:
    return Watch(loaded).look()


# case: modules-that-a-constructor-is-given-are-those-called
import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, scores, is_open):
        if is_open:  # sync: SYN301
            return scores
        return scores * 0


class Plain(nn.Module):
    def forward(self, scores, is_open):
        return scores if is_open else scores * 0


class Net(nn.Module):
    def __init__(self, gate: nn.Module, plain: nn.Module) -> None:
        super().__init__()
        self.gate = gate
        self.plain = plain

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return self.plain(self.gate(scores, scores.amax() > 3), len(scores) > 3)


def check() -> torch.Tensor:
    return Net(Gate(), Plain())(torch.ones(8, device="cuda"))


# case: objects-given-for-a-protocol-are-those-called
from typing import Protocol

import torch


class Meter(Protocol):
    def take(self, found) -> None: ...


class Told:
    def take(self, found) -> None:
        if found:  # sync: SYN301
            print("found")


class Counted:
    def take(self, found) -> None:
        if found:
            print("counted")


class Watch:
    def __init__(self, scores: Meter, sizes: Meter) -> None:
        self.scores = scores
        self.sizes = sizes

    def look(self, scores: torch.Tensor) -> None:
        self.scores.take(scores.amax() > 3)
        self.sizes.take(scores.shape[0] > 3)


def check() -> None:
    Watch(Told(), Counted()).look(torch.ones(8, device="cuda"))


# case: lists-and-dictionaries-of-functions-hold-those-given
from collections.abc import Callable, Mapping, Sequence

import torch


def told(found) -> None:
    if found:  # sync: SYN301
        print("found")


def logged(found) -> None:
    if found:  # sync: SYN301
        print("logged")


def counted(found) -> None:
    if found:
        print("counted")


class Watch:
    def __init__(
        self,
        told: Sequence[Callable[[object], None]],
        logged: Mapping[str, Callable[[object], None]],
        counted: Sequence[Callable[[object], None]],
    ) -> None:
        self.told = told
        self.logged = logged
        self.counted = counted

    def look(self, scores: torch.Tensor, kind: str) -> None:
        for tell in self.told:
            tell(scores.amax() > 3)
        self.logged[kind](scores.amax() > 3)
        for count in self.counted:
            count(scores.shape[0] > 3)


def check(kind: str) -> None:
    Watch([told], {"high": logged}, [counted]).look(torch.ones(8, device="cuda"), kind)


# case: functions-in-a-record-are-those-called
from collections.abc import Callable
from dataclasses import dataclass

import torch


def told(found) -> None:
    if found:  # sync: SYN301
        print("found")


@dataclass
class Hooks:
    tell: Callable[[object], None]


class Watch:
    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks

    def look(self, scores: torch.Tensor) -> None:
        self.hooks.tell(scores.amax() > 3)


def check() -> None:
    Watch(Hooks(told)).look(torch.ones(8, device="cuda"))


# case: what-a-loader-that-is-declared-by-its-class-was-made-with
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Trainer:
    def __init__(self, model: nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer) -> None:
        self.model = model.cuda()
        self.loader = loader
        self.optimizer = optimizer

    def train(self) -> None:
        for inputs, targets in self.loader:
            loss = (self.model(inputs.cuda()) - targets.cuda(non_blocking=True)).mean()  # sync: SYN701
            loss.backward()
            self.optimizer.step()


def loader_of(data: Dataset) -> DataLoader:
    return DataLoader(data, batch_size=8, pin_memory=True, num_workers=4)


def main(data: Dataset) -> None:
    model = nn.Linear(3, 3)
    Trainer(model, loader_of(data), torch.optim.SGD(model.parameters(), lr=0.1)).train()


if __name__ == "__main__":
    main(torch.load("data.pt"))


# case: what-a-declared-loader-was-made-with-is-known-after-its-batches-have-been-read
import torch
import torch.multiprocessing as mp
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model: nn.Module, loader: DataLoader, rank: int) -> None:
        self.rank = rank
        self.loader = loader
        self.model = model.to(rank)

    def run_epoch(self) -> None:
        for inputs, _ in self.loader:
            self.model(inputs.to(self.rank)).sum().backward()  # sync: SYN701

    def train(self, epochs: int) -> None:
        for _ in range(epochs):
            self.run_epoch()


def main(rank: int, path: str) -> None:
    loader = DataLoader(torch.load(path), batch_size=8, pin_memory=True, num_workers=4)
    Trainer(nn.Linear(3, 3), loader, rank).train(4)


if __name__ == "__main__":
    mp.spawn(main, args=("data.pt",), nprocs=torch.cuda.device_count())
