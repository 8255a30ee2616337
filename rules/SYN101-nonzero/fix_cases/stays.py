from __future__ import annotations

import torch
from torch import Tensor

# Later ones write numbers without a wait of their own.
TORCH = "2.14.0"


def positions_are_used(target: Tensor) -> tuple[Tensor, Tensor]:
    rows, columns = torch.nonzero(target == 3, as_tuple=True)
    return rows, columns


def positions_are_returned(target: Tensor) -> tuple[Tensor, ...]:
    found = torch.nonzero(target == 3, as_tuple=True)
    target[found] = 0
    return found


def values_differ(target: Tensor, values: Tensor) -> Tensor:
    target[torch.nonzero(target == 3, as_tuple=True)] = values
    return target


def as_rows(target: Tensor) -> Tensor:
    target[torch.nonzero(target == 3)] = 0
    return target


def one_dimension(target: Tensor) -> Tensor:
    target[torch.nonzero(target == 3, as_tuple=True)[0]] = 0
    return target


def added(target: Tensor) -> Tensor:
    target[torch.nonzero(target == 3, as_tuple=True)] += 1
    return target


def of_integers(target: Tensor) -> Tensor:
    target[torch.nonzero(target % 2, as_tuple=True)] = 0
    return target
