"""Lists and dictionaries of tensors that are read one by one."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    losses = {name: torch.rand((), device=device) for name in ("first", "second", "third")}
    return {
        "listed": (list(losses.values()),),
        "by_name": (losses,),
        "shown": (losses,),
        "over_items": (losses,),
    }


def listed(losses: list[Tensor]) -> list[float]:
    return [loss.item() for loss in losses]


def by_name(losses: dict[str, Tensor]) -> dict[str, float]:
    return {name: loss.item() / 2 for name, loss in losses.items()}


def shown(losses: dict[str, Tensor]) -> str:
    return ", ".join(f"{loss.item():.3f}" for loss in losses.values())


def over_items(losses: dict[str, Tensor]) -> dict[str, float]:
    found = {}
    for name, loss in losses.items():
        found[name] = round(loss.item(), 3)
    return found
