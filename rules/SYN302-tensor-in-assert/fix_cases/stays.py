"""Assertions that are about more than one tensor, or about something else."""

from __future__ import annotations

import torch
from torch import Tensor


def of_shapes(x: Tensor) -> Tensor:
    assert x.shape[0] == 4
    return x


def of_several(x: Tensor) -> Tensor:
    assert (x > 0).all() and (x < 1).all()
    return x


def of_one_number(x: Tensor) -> Tensor:
    assert x.norm() > x.sum()
    return x


def along_a_dimension(x: Tensor) -> Tensor:
    assert torch.ones(1, 2, device=x.device).bool().all(0)[0]
    return x
