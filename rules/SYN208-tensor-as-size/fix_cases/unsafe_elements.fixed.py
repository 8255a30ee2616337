"""Sizes that are the elements of a tensor."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    shapes = torch.arange(1, 5, device=device).view(2, 2)
    values = torch.randn(14, device=device)
    return {
        "split": (values, shapes),
        "viewed": ([torch.randn(2, device=device), torch.randn(12, device=device)], shapes),
        "padded": (torch.randn(2, 3, device=device), torch.arange(1, 3, device=device)),
        "indexed": (torch.randn(2, device=device), shapes),
    }


def split(values: Tensor, shapes: Tensor) -> tuple[Tensor, ...]:
    return values.split([height * width for height, width in shapes.tolist()])


def viewed(parts: list[Tensor], shapes: Tensor) -> list[Tensor]:
    found = []
    for index, (height, width) in enumerate(shapes.tolist()):
        found.append(parts[index].reshape(height, width))
    return found


def padded(image: Tensor, margins: Tensor) -> Tensor:
    left, right = margins.ceil().tolist()
    return torch.nn.functional.pad(image, [left, right])


def indexed(values: Tensor, shapes: Tensor) -> Tensor:
    rows = shapes.view(2, 2)
    rows_list = rows.tolist()
    return values.reshape(rows_list[0][0], rows_list[0][1])
