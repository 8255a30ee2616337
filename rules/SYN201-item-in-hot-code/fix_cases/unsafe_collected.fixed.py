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
    return torch.stack(losses).tolist()


def by_name(losses: dict[str, Tensor]) -> dict[str, float]:
    return {
        name: loss / 2
        for name, loss in zip(losses, torch.stack(list(losses.values())).tolist())
    }


def shown(losses: dict[str, Tensor]) -> str:
    return ", ".join(f"{loss:.3f}" for loss in torch.stack(list(losses.values())).tolist())


def over_items(losses: dict[str, Tensor]) -> dict[str, float]:
    found = {}
    for name, loss in zip(losses, torch.stack(list(losses.values())).tolist()):
        found[name] = round(loss, 3)
    return found
