"""A bound that is used several times."""

from __future__ import annotations

import torch
from torch import Tensor


def inputs(device: torch.device) -> dict[str, tuple[object, ...]]:
    values, _lengths = torch.randn(6, 3, device=device), torch.arange(4, device=device)
    return {"given": (values, torch.full((), 2, device=device))}


def given(values: Tensor, count: Tensor) -> Tensor:
    """The first rows, as often as there are of them."""
    count_value = count.item()
    total = values[:count_value].sum()
    for _ in range(count_value):
        total = total + values[0, : count + 0].sum()
    return total
