"""Lists that a loop changes, goes through, or is meant to show."""

from __future__ import annotations

from torch import Tensor


def of_another_batch(batches: list[Tensor]) -> list[float]:
    found: list[float] = []
    for batch in batches:
        found += batch.tolist()
    return found


def written_to(mask: Tensor, steps: int) -> list[float]:
    found: list[float] = []
    for step in range(steps):
        found += mask.sum(dim=1).tolist()
        mask.mul_(step)
    return found


def gone_through(mask: Tensor) -> float:
    total = 0.0
    for number in mask.sum(dim=1).tolist():
        total += number
    return total


def by_a_changing_condition(mask: Tensor, steps: int) -> list[float]:
    found: list[float] = []
    for step in range(steps):
        late = step > 3
        if late:
            found += mask.sum(dim=1).tolist()
    return found


def shown(batches: list[Tensor]) -> None:
    for batch in batches:
        print(f"the batch: {batch.tolist()}")
