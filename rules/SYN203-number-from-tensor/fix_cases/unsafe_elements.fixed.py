"""Elements that are read in a loop, in which more is done with them."""

from __future__ import annotations

import torch
from torch import Tensor

DIFFERS = {"described": "the boxes are on the CPU"}


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    found = torch.arange(6.0, device=device).view(2, 3)
    return {"described": (found,), "by_class": (found,)}


def described(found: Tensor) -> list[tuple[int, float, Tensor]]:
    rows = []
    for *box, confidence, label in reversed(found.cpu()):
        rows.append((int(label), float(confidence), box[0]))
    return rows


def by_class(found: Tensor) -> list[tuple[int, Tensor]]:
    counts = []
    for label in found[:, 2].unique().cpu():
        counts.append((int(label), (found[:, 2] == label).sum()))
    return counts
