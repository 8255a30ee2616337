"""Reads that have to be left as they are."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def of_different_types(logits: Tensor, target: Tensor) -> tuple[float, int]:
    loss = F.cross_entropy(logits, target)
    right = (logits.argmax(dim=-1) == target).sum()
    first = loss.item()
    second = right.item()
    return first, second


def changed_in_between(logits: Tensor, target: Tensor) -> tuple[float, float]:
    loss = F.cross_entropy(logits, target)
    first = loss.item()
    loss.mul_(2.0)
    second = loss.item()
    return first, second


def the_second_only_if_the_first(logits: Tensor, target: Tensor) -> bool:
    loss, norm = F.cross_entropy(logits, target), logits.norm()
    return loss.item() > 1.0 and norm.item() > 1.0


def with_a_call_in_between(logits: Tensor, target: Tensor) -> tuple[float, object, float]:
    loss, norm = F.cross_entropy(logits, target), logits.norm()
    return loss.item(), norm.mul_(2.0), norm.item()


def with_a_comment_that_would_be_lost(logits: Tensor, target: Tensor) -> tuple[float, float]:
    loss, norm = F.cross_entropy(logits, target), logits.norm()
    first = loss.item()
    # The norm before it is clipped.
    second = norm.item()
    return first, second


def shown_in_each_step(batches: list[tuple[Tensor, Tensor]]) -> float:
    total = 0.0
    for logits, target in batches:
        total += F.cross_entropy(logits, target).item()
        print(total)
    return total


def returned_from_the_loop(batches: list[tuple[Tensor, Tensor]]) -> float:
    total = 0.0
    for logits, target in batches:
        total += F.cross_entropy(logits, target).item()
        if len(target) < 3:
            return 0.0
    return total


def kept_by_another_function(batches: list[tuple[Tensor, Tensor]]) -> float:
    total = 0.0
    for logits, target in batches:
        total += F.cross_entropy(logits, target).item()

    def mean() -> float:
        return total / len(batches)

    return mean()


def given_away_before_the_loop(batches: list[tuple[Tensor, Tensor]], keep: list[list[float]]) -> list[float]:
    losses = []
    keep.append(losses)
    for logits, target in batches:
        losses.append(F.cross_entropy(logits, target).item())
    return losses


def looked_at_in_the_loop(batches: list[tuple[Tensor, Tensor]]) -> list[float]:
    losses = []
    for logits, target in batches:
        losses.append(F.cross_entropy(logits, target).item())
        if losses[-1] > 10:
            break
    return losses


def of_a_tensor_that_changes(batches: list[tuple[Tensor, Tensor]], device: torch.device) -> list[float]:
    total, history = torch.zeros((), device=device), []
    for logits, target in batches:
        total += F.cross_entropy(logits, target)
        history.append(total.item())
    return history


def shown_by_something_else(batches: list[Tensor], values: list[float]) -> None:
    for step, batch in enumerate(batches):
        values.append(batch.sum().item())
        if step % 3 == 0:
            print(values)
        print(len(values))


def summed_and_returned(parameters: list[Tensor]) -> float:
    return sum([parameter.norm(2).item() ** 2 for parameter in parameters])


def at_another_position(values: Tensor, order: list[int]) -> float:
    found = 1.0
    for i in order:
        found = found * 2 + values[i].item()
    return found


def of_each_with_another_tensor(sample: Tensor, times: Tensor, weight: Tensor) -> Tensor:
    for time in times:
        scale = (time * weight).item()
        print(scale)
        sample = sample * time
    return sample


def of_each_where_it_changes(sample: Tensor, times: Tensor) -> Tensor:
    for i, time in enumerate(times):
        sample = sample * time + (time / 2).item()
        times[i] = 0
    return sample


def returned_where_it_is_large(values: Tensor) -> float:
    total = values.sum().item()
    if total > 100:
        total = 100.0
    return total


def returned_after_it_was_shown(values: Tensor) -> float:
    total = values.sum().item()
    print(total)
    if math.isnan(total):
        total = 0.0
    return total


def returned_where_it_is_a_number(values: Tensor) -> float:
    total = values.sum().item()
    if math.isnan(total):
        total = 0.0
    return total


def replaced_in_a_dictionary(losses: dict[str, Tensor]) -> dict[str, Tensor]:
    for name, loss in losses.items():
        if len(name) > 5:
            loss = loss / 2
        losses[name] = loss.item()
    return losses


def read_in_the_other_branch(lengths: Tensor, known: list[int]) -> list[float]:
    shown = []
    for number in range(2):
        if known:
            total = known[number]
        else:
            total = lengths.sum().item()
        shown.append(total / 2)
    return shown
