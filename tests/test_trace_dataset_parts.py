"""What a dataset spends a batch's time on, by the functions that it calls; on a clock that the datasets move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, Subset

from synclint.trace.activities import Activities, Wrappers
from synclint.trace.dataset_parts import DatasetParts
from synclint.trace.ownership import default_ownership

SECOND = 1_000_000_000


class Clock:
    now = 0

    def __call__(self) -> int:
        return Clock.now


def passes(seconds: int) -> None:
    Clock.now += seconds * SECOND


class Compose:
    def __call__(self, item: float) -> float:
        passes(2)
        return item * 2


def load(path: int) -> float:
    passes(10)
    return float(path)


class Folder(Dataset):  # type: ignore[misc]
    """As of torchvision: a loader of files and a transform, both of which the dataset is given."""

    def __init__(self) -> None:
        self.loader, self.transform = load, Compose()

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> float:
        return self.transform(self.loader(index))


class Stream(IterableDataset):  # type: ignore[misc]
    def fetch(self) -> torch.Tensor:
        passes(10)
        return torch.ones(2)

    def transform(self, item: torch.Tensor) -> torch.Tensor:
        self.scale()
        return item * 2

    def scale(self) -> None:
        passes(1)

    def __iter__(self) -> Iterator[torch.Tensor]:
        for _ in range(8):
            yield self.transform(self.fetch())


def together(items: list[Any]) -> list[Any]:
    passes(4)
    return items


def seconds(made: Callable[[], DataLoader], *, watched: bool = True) -> dict[str, float]:
    """The seconds of a batch by the function, with the wrappers that a traced run has in place."""
    ownership = default_ownership()
    parts = DatasetParts(lambda: watched, Clock())
    wrappers = Wrappers(Activities(ownership, lambda: False), ownership, parts)
    wrappers.start()
    try:
        for _ in made():
            pass
    finally:
        wrappers.stop()
    assert sys.getprofile() is None
    return {part.place.function.rpartition(".")[2]: part.seconds for part in parts.parts()}


def test_reading_transforming_and_putting_together_are_told_apart() -> None:
    found = seconds(lambda: DataLoader(Folder(), batch_size=4, collate_fn=together))
    assert found == {"load": 40.0, "__call__": 8.0, "together": 4.0}


def test_methods_of_a_dataset_are_its_parts_and_what_they_call_is_theirs() -> None:
    found = seconds(lambda: DataLoader(Stream(), batch_size=2, collate_fn=together))
    assert found == {"fetch": 20.0, "transform": 2.0, "together": 4.0}


def test_a_dataset_within_another_is_asked_in_turn() -> None:
    found = seconds(lambda: DataLoader(Subset(Folder(), [0, 1, 2, 3]), batch_size=2, collate_fn=together))
    assert found == {"load": 20.0, "__call__": 4.0, "together": 4.0}


def test_nothing_is_looked_at_while_steps_are_measured_nor_where_workers_fetch() -> None:
    assert seconds(lambda: DataLoader(Folder(), batch_size=4), watched=False) == {}
    assert seconds(lambda: DataLoader(Folder(), batch_size=4, num_workers=1)) == {}


def test_a_profiler_of_the_program_is_left_alone() -> None:
    def own(*arguments: object) -> None:
        return None

    parts = DatasetParts(lambda: True, Clock())
    sys.setprofile(own)
    try:
        with parts.batch(type("Iterator", (), {"_num_workers": 0})(), default_place()):
            assert sys.getprofile() is own
    finally:
        sys.setprofile(None)
    assert parts.parts() == ()


def default_place() -> Any:  # noqa: ANN401
    from synclint.trace.records import NOWHERE

    return NOWHERE
