# case: operators-have-names-in-other-places
import torch
from torch import Tensor, _VF


def by_other_names(rows: Tensor, labels: Tensor) -> tuple[Tensor, ...]:
    kinds = _VF.unique_dim(rows, 0)  # sync: SYN102
    places = torch.ops.aten.nonzero.default(rows)  # sync: SYN101
    chosen = torch.ops.aten.masked_select(rows, rows > 0)  # sync: SYN103
    inverse = torch._C._linalg.linalg_inv(rows)  # sync: SYN505
    classes = torch._C._nn.one_hot(labels)  # sync: SYN106
    return kinds[0], places, chosen, inverse, classes


def that_do_not_wait(rows: Tensor, labels: Tensor) -> tuple[Tensor, ...]:
    total = torch.ops.aten.sum.dim_IntList(rows, [0])
    inverse, status = torch._C._linalg.linalg_inv_ex(rows)
    return _VF.norm(rows), total, inverse, status, torch._C._nn.one_hot(labels, 8)


# case: results-of-private-reductions-are-read-where-they-are-tested
import torch
from torch import Tensor


def checked(rows: Tensor) -> Tensor:
    if torch._is_any_true(rows < 0):  # sync: SYN301
        raise ValueError("negative")
    if not torch._is_all_true(rows < 1):  # sync: SYN303
        raise ValueError("too large")
    return torch._is_all_true(rows == rows)


# case: a-string-is-what-it-was-compared-with
import torch
from torch import Tensor


def norm(rows: Tensor, kind: str = "fro") -> Tensor:
    if kind == "nuc":
        return torch.linalg.matrix_norm(rows, kind)  # sync: SYN505
    if kind == "fro":
        return torch.linalg.matrix_norm(rows, kind)
    return rows


# case: a-cast-to-a-number-leaves-the-tensor-that-it-hides
from typing import cast

import torch
from torch import Tensor


def average(averages: list[Tensor], now: list[Tensor], seen: Tensor | int) -> None:
    torch._foreach_lerp_(averages, now, cast(float, 1 / (seen + 1)))  # sync: SYN209


def average_by_number(averages: list[Tensor], now: list[Tensor], seen: int) -> None:
    torch._foreach_lerp_(averages, now, cast(float, 1 / (seen + 1)))


# case: a-tensor-is-no-list-of-tensors
import torch
from torch import Tensor


def scale(weights: list[Tensor], goals: list[Tensor], rate: Tensor) -> None:
    torch._foreach_lerp_(weights, goals, rate.mean())  # sync: SYN209
    torch._foreach_pow_(weights, rate.mean())  # sync: SYN209
    torch._foreach_add_(weights, rate.mean())  # sync: SYN209
    torch._foreach_lerp_(weights, goals, goals)
    torch._foreach_mul_(weights, rate.mean())
    torch._foreach_add_(weights, rate.mean(), alpha=1.0)


# case: lists-are-copied-between-host-and-device
import torch
from torch import Tensor


def keep(weights: list[Tensor]) -> list[Tensor]:
    kept = [torch.zeros(8) for _ in range(3)]
    torch._foreach_copy_(kept, [torch.ones(8, device="cuda") for _ in range(3)])  # sync: SYN204
    return kept


def restore() -> None:
    weights = [torch.ones(8, device="cuda") for _ in range(3)]
    torch._foreach_copy_(weights, [torch.zeros(8) for _ in range(3)])  # sync: SYN402
    torch._foreach_copy_(weights, [torch.zeros(8, device="cuda") for _ in range(3)])


# case: torch-itself-is-read-with-the-tables
# file: torch/__init__.py
import torch._own
# file: torch/_own.py
import torch
from torch import Tensor


def kinds(rows: Tensor) -> Tensor:
    places = torch.where(rows > 0)  # sync: SYN101
    root = torch.linalg.cholesky(rows)  # sync: SYN505
    return root[places]


# case: a-matrix-that-only-stands-for-one
from torch import Tensor

from somewhere import LinearOperator


def noise(covariance: Tensor | LinearOperator, x: Tensor) -> Tensor:
    return covariance.cholesky() @ x


def sure(covariance: Tensor, x: Tensor) -> Tensor:
    return covariance.cholesky() @ x  # sync: SYN505


# case: what-an-object-holds-is-printed
import pprint

from torch import Tensor


class Result:
    def __init__(self, loss: Tensor, name: str) -> None:
        self.loss = loss
        self.name = name

    def __repr__(self) -> str:
        return ", ".join(f"{key}={value}" for key, value in self.__dict__.items())  # cold: SYN205

    def text(self) -> list[str]:
        return [pprint.pformat(value) for value in vars(self).values()]  # sync: SYN205


class Named:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return ", ".join(f"{key}={value}" for key, value in self.__dict__.items())


# case: the-places-of-the-largest-values-have-dimensions
import torch
from torch import Tensor


def best(rows: Tensor, count: int) -> Tensor:
    mean = rows.view(2, 4, 8).mean(dim=(0, 2))
    _, order = torch.topk(mean, count)
    return torch.stack([rows[:, order[index]] for index in range(count)])  # sync: SYN207


def at_once(rows: Tensor, count: int) -> Tensor:
    mean = rows.view(2, 4, 8).mean(dim=(0, 2))
    return rows[:, torch.topk(mean, count).indices]
