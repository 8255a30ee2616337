# case: one-of-eight-kinds-may-be-the-tensor
from typing import Any, Dict, List, Union

import numpy as np
import torch


class Marked(torch.Tensor):
    pass


class Handle:
    pass


Feature = Union[torch.Tensor, np.ndarray, List[torch.Tensor], Dict[str, Any], float, str, Handle, Marked, None]


def is_hot(feature: Feature) -> bool:
    if feature.max() > 3:  # sync: SYN301
        return True
    return feature.sum().item() > 1  # sync: SYN201


# case: what-only-one-of-several-values-has-is-taken-from-that-one
from __future__ import annotations

import dataclasses

import torch


@dataclasses.dataclass
class Jagged:
    ends: torch.Tensor


@dataclasses.dataclass
class Sample:
    jagged: Jagged = None

    def positions(self) -> torch.Tensor:
        return torch.arange(0, self.jagged.ends[-1])  # sync: SYN208


def longest(jagged: Jagged | list[Jagged] | str) -> int:
    return jagged.ends.max().item()  # sync: SYN201


def is_named(feature: Jagged | dict[str, Jagged]) -> bool:
    return "mean" in feature.keys()


# case: an-alias-with-the-name-of-a-type-of-torch-says-what-it-holds
from typing import Optional

import torch
from torch import Tensor

BoolTensor = Tensor
LongTensor = Tensor


def chosen(rows: Tensor, keep: Optional[BoolTensor] = None) -> Tensor:
    if keep is None:
        return rows
    return rows[keep]  # sync: SYN103


def at(rows: Tensor, positions: LongTensor) -> Tensor:
    return rows[positions]


# case: what-supports-float-may-be-a-tensor
from typing import SupportsFloat

import torch


def note(value: SupportsFloat, history: list[float]) -> None:
    history.append(float(value))  # sync: SYN203


# case: the-state-that-a-base-class-only-declares-is-the-optimizers
from typing import Any, Dict

import torch
from torch.optim import Optimizer


class Declaring(Optimizer):
    state: Dict[torch.Tensor, Any]


class Pruning(Declaring):
    def begin(self) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["kept"] = p.detach() > 0

    def kept(self, p: torch.Tensor) -> torch.Tensor:
        return p[self.state[p]["kept"]]  # sync: SYN103


# case: a-mean-over-two-dimensions-has-two-fewer
import torch


def rows_of(x: torch.Tensor, heads: int, count: int) -> torch.Tensor:
    folded = x.view(4, heads, 8, 8)
    mean = folded.mean(dim=(1, -1))
    order = mean.mean(0).argsort()
    return torch.stack([mean[:, order[i]] for i in range(count)])  # sync: SYN207


# case: a-number-or-a-tensor-stays-either-beside-something-unknown
import torch


def step(p: torch.Tensor, grad: torch.Tensor, rate: float | torch.Tensor, group) -> None:
    p.add_(grad, alpha=-rate * group["scale"])


# case: as-tensor-keeps-the-place-of-what-is-declared-as-a-sequence
from collections.abc import Sequence

import torch


def drawn(weights: Sequence[float], count: int) -> list[int]:
    return torch.multinomial(torch.as_tensor(weights), count).tolist()  # sync: SYN202


def drawn_of_list(weights: list[float], count: int) -> list[int]:
    return torch.multinomial(torch.as_tensor(weights), count).tolist()
