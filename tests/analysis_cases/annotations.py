# case: tensor
from torch import Tensor


def positive(total: Tensor) -> int:
    return 1 if total > 0 else 0  # sync: SYN301


# case: qualified-tensor
import torch


def positive(total: torch.Tensor) -> int:
    return 1 if total > 0 else 0  # sync: SYN301


# case: optional-tensor
from typing import Optional

from torch import Tensor


def positive(total: Optional[Tensor] = None) -> int:
    if total is None:
        return 0
    return 1 if total > 0 else 0  # sync: SYN301


# case: tensor-or-none-with-a-bar
from torch import Tensor


def positive(total: Tensor | None) -> int:
    if total is None:
        return 0
    return 1 if total > 0 else 0  # sync: SYN301


# case: default-none-without-optional
from torch import Tensor


def positive(x: Tensor, total: Tensor = None) -> int:
    if total is None:
        total = x.sum()
    return 1 if total > 0 else 0  # sync: SYN301


# case: string-annotation
import torch


def positive(total: "torch.Tensor") -> int:
    return 1 if total > 0 else 0  # sync: SYN301


# case: string-annotation-with-none
from torch import Tensor


def positive(total: "Tensor | None") -> int:
    if total is None:
        return 0
    return 1 if total > 0 else 0  # sync: SYN301


# case: postponed-annotations
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def positive(total: Tensor) -> int:
    return 1 if total > 0 else 0  # sync: SYN301


# case: list-of-tensors
from torch import Tensor


def positive(totals: list[Tensor]) -> int:
    count = 0
    for total in totals:
        if total > 0:  # sync: SYN301
            count += 1
    return count


# case: typing-list-indexed
from typing import List

from torch import Tensor


def positive(totals: List[Tensor]) -> int:
    return 1 if totals[0] > 0 else 0  # sync: SYN301


# case: truth-of-a-list-of-tensors
from torch import Tensor


def first(totals: list[Tensor]) -> Tensor | None:
    return totals[0] if totals else None


# case: iterable-of-tensors
from collections.abc import Iterable

from torch import Tensor


def read(totals: Iterable[Tensor]) -> list[float]:
    return [float(total) for total in totals]  # sync: SYN203


# case: sequence-of-tensors-enumerated
from typing import Sequence

from torch import Tensor


def read(totals: Sequence[Tensor]) -> dict[int, float]:
    return {index: float(total) for index, total in enumerate(totals)}  # sync: SYN203


# case: tuple-of-tensor-and-number
from torch import Tensor


def ratio(pair: tuple[Tensor, int]) -> int:
    total, count = pair
    if count > 0:
        return count
    return 1 if total > 0 else 0  # sync: SYN301


# case: homogeneous-tuple-of-tensors
from typing import Tuple

from torch import Tensor


def positive(totals: Tuple[Tensor, ...]) -> int:
    return 1 if totals[-1] > 0 else 0  # sync: SYN301


# case: dict-of-tensors-by-key
from torch import Tensor


def positive(losses: dict[str, Tensor]) -> int:
    if "main" in losses:
        return 1 if losses["main"] > 0 else 0  # sync: SYN301
    return 0


# case: dict-of-tensors-by-items
from typing import Dict

from torch import Tensor


def read(losses: Dict[str, Tensor]) -> dict[str, float]:
    return {name: float(loss) for name, loss in losses.items()}  # sync: SYN203


# case: mapping-of-lists-of-tensors
from collections.abc import Mapping

from torch import Tensor


def read(groups: Mapping[str, list[Tensor]]) -> float:
    total = 0.0
    for losses in groups.values():
        for loss in losses:
            total += float(loss)  # sync: SYN203
    return total


# case: union-narrowed-by-isinstance
from typing import Union

from torch import Tensor


def positive(total: Union[Tensor, float]) -> int:
    if isinstance(total, Tensor):
        return 1 if total > 0 else 0  # sync: SYN301
    return 1 if total > 0 else 0


# case: union-narrowed-by-a-negated-isinstance
import torch


def positive(total: torch.Tensor | float) -> int:
    if not isinstance(total, torch.Tensor):
        return 1 if total > 0 else 0
    return 1 if total > 0 else 0  # sync: SYN301


# case: union-narrowed-by-is-tensor
import torch


def positive(total: torch.Tensor | float) -> int:
    if torch.is_tensor(total):
        return 1 if total > 0 else 0  # sync: SYN301
    return 1 if total > 0 else 0


# case: legacy-float-tensor
import torch


def positive(total: torch.FloatTensor) -> int:
    return 1 if total > 0 else 0  # sync: SYN301


# case: legacy-bool-tensor-is-a-mask
import torch


def select(x: torch.Tensor, keep: torch.BoolTensor) -> torch.Tensor:
    return x[keep]  # sync: SYN103


# case: legacy-long-tensor-is-an-index
import torch


def select(x: torch.Tensor, rows: torch.LongTensor) -> torch.Tensor:
    return x[rows.view(-1)]


# case: jaxtyping-float
from jaxtyping import Float
from torch import Tensor


def positive(total: Float[Tensor, ""]) -> int:
    return 1 if total > 0 else 0  # sync: SYN301


# case: jaxtyping-bool-is-a-mask
from jaxtyping import Bool, Float
from torch import Tensor


def select(x: Float[Tensor, "batch width"], keep: Bool[Tensor, "batch"]) -> Float[Tensor, "kept width"]:
    return x[keep]  # sync: SYN103


# case: jaxtyping-int-is-an-index
from jaxtyping import Float, Int
from torch import Tensor


def select(x: Float[Tensor, "batch width"], rows: Int[Tensor, "rows"]) -> Float[Tensor, "rows width"]:
    return x[rows]


# case: annotated-tensor
from typing import Annotated

from torch import Tensor


def positive(total: Annotated[Tensor, "scalar"]) -> int:
    return 1 if total > 0 else 0  # sync: SYN301


# case: alias-of-a-type
from torch import Tensor

Pair = tuple[Tensor, Tensor]


def larger(pair: Pair) -> Tensor:
    first, second = pair
    return first if first > second else second  # sync: SYN301


# case: annotated-variable
from torch import Tensor


def positive(registry, name: str) -> int:
    total: Tensor = registry[name]
    return 1 if total > 0 else 0  # sync: SYN301


# case: positional-rest-of-tensors
from torch import Tensor


def read(*totals: Tensor) -> list[float]:
    return [float(total) for total in totals]  # sync: SYN203


# case: keyword-rest-of-tensors
from torch import Tensor


def read(**losses: Tensor) -> dict[str, float]:
    return {name: float(loss) for name, loss in losses.items()}  # sync: SYN203


# case: callable-that-returns-a-tensor
from collections.abc import Callable

from torch import Tensor


def positive(x: Tensor, norm: Callable[[Tensor], Tensor]) -> int:
    return 1 if norm(x) > 0 else 0  # sync: SYN301


# case: abstract-method-with-a-return-annotation
from abc import ABC, abstractmethod

from torch import Tensor


class Prior(ABC):
    @abstractmethod
    def energy(self, x: Tensor) -> Tensor: ...

    def accepts(self, x: Tensor) -> bool:
        return bool(self.energy(x))  # sync: SYN203


# case: parameter-annotation
import torch.nn as nn


def positive(scale: nn.Parameter) -> int:
    return 1 if scale > 0 else 0  # sync: SYN301


# case: numbers-strings-and-flags
def positive(total: float, count: int, name: str, mask: bool, tensor: "float | None") -> int:
    if total > 0 and count and name and mask and tensor:
        return int(total)
    return 0


# case: numpy-array
import numpy as np


def positive(total: np.ndarray) -> float:
    if total > 0:
        return float(total)
    return total.item()


# case: size-and-device-and-dtype
import torch


def describe(shape: torch.Size, device: torch.device, dtype: torch.dtype) -> str:
    if shape and shape[0] > 1 and device.type == "cuda" and dtype == torch.float32:
        return f"{max(shape)} on {device} of {dtype}"
    return str(device)


# case: alias-of-a-type-from-another-file
from typed import Rows


def total(rows: Rows) -> int:
    return 1 if rows.sum() > 0 else 0  # sync: SYN301


# file: typed.py
from typing import Optional

from torch import Tensor

Rows = Optional[Tensor]


# case: argument-that-may-be-a-tensor-for-a-parameter-that-is-none
import torch


def resized(x: torch.Tensor, size: tuple[int, int], separable: bool, factor: float) -> torch.Tensor:
    if separable and size[0] > 4 and factor > 2.0:
        return x[: size[0]]
    return x


def use(x: torch.Tensor, by: float | torch.Tensor, flag: bool | torch.Tensor, size: tuple[int | torch.Tensor, int]):
    return resized(x, size, flag, by)


# case: argument-that-is-a-tensor-for-a-parameter-that-says-otherwise
import torch


def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    if factor > 2.0:  # sync: SYN301
        return x / factor
    return x


def use(x: torch.Tensor) -> torch.Tensor:
    return scaled(x, x.max())


# case: argument-that-is-a-tensor-or-none-for-a-parameter-that-says-otherwise
import torch


def scaled(x: torch.Tensor, factor: float | None) -> torch.Tensor:
    if factor is not None and factor > 2.0:  # sync: SYN301
        return x
    return x


def use(x: torch.Tensor, last: bool) -> torch.Tensor:
    return scaled(x, None if last else x.max())


# case: dictionary-in-a-dictionary-that-is-annotated-too-simply
import torch
from torch import Tensor


def inner(x: Tensor, cache: dict[str, Tensor] | None = None) -> Tensor:
    cache = cache or {}
    return x + cache["x"]


def outer(x: Tensor, cache: dict[str, Tensor] | None = None) -> Tensor:
    cache = cache or {}
    return inner(x, cache=cache.get("inner"))


# case: default-of-a-class-that-others-assign-to
from dataclasses import dataclass

from torch import Tensor


@dataclass
class Config:
    kind: str | None = None


class Labelled:
    completed = None

    def __init__(self, config: Config) -> None:
        self.config = config

    def settle(self, labels: Tensor) -> None:
        if self.config.kind is None:
            self.config.kind = "single"
        self.completed = "completed"

    def chosen(self, labels: Tensor) -> Tensor:
        if self.config.kind is None:
            return labels.nonzero()  # sync: SYN101
        if self.completed is None:
            return labels.unique()  # sync: SYN102
        return labels


# case: docstring-that-tells-of-a-list
import torch
from torch import Tensor, nn


class Periodic(nn.Module):
    """Wraps some of the coordinates."""

    def __init__(self, columns, names) -> None:
        """Keep the columns.

        Args:
            columns: Iterable, numbers of the columns
            names: list of str, what they are called
        """
        super().__init__()
        self.columns = columns
        self.names = names

    def forward(self, x: Tensor) -> Tensor:
        wrapped = torch.remainder(x[..., self.columns], 1.0)  # sync: SYN403
        return wrapped if self.names[0] == "angle" else x


# case: docstring-with-the-type-in-brackets-behind-the-colon
import torch
from torch import nn


class Pooling(nn.Module):
    def forward(self, x, counts=None):
        """Average over what counts.

        Args:
            x: (:class:`torch.Tensor`): the features
            counts: (:class:`torch.LongTensor`): how many of each count
        """
        if counts is None:
            counts = torch.LongTensor([x.size(1)] * x.size(0))
        if counts.max() == 0:  # sync: SYN301
            return x.mean(1)
        return x.sum(1)


# case: docstring-that-says-list-of-one-tensor
import torch
from torch import Tensor


def of_labels(scores: Tensor, labels) -> Tensor:
    """Select by labels.

    Args:
        labels (list): the label of each row
    """
    return scores[torch.arange(scores.shape[0], device=scores.device), labels]


# case: attributes-of-a-batch-that-a-class-of-the-project-declares
import torch
from tensordict import tensorclass


@tensorclass
class Clips:
    frames: torch.Tensor
    kind: str


class Trainer:
    def __init__(self, model, losses, optimizer) -> None:
        self.model, self.losses, self.optimizer = model, losses, optimizer

    def step(self, batch: Clips) -> torch.Tensor:
        print(f"losses/{batch.kind}")
        return self.losses[batch.kind](self.model(batch.frames))

    def run_step(self, batch) -> None:
        self.optimizer.zero_grad()
        self.step(batch).backward()
        self.optimizer.step()

    def train_epoch(self, train_loader) -> None:
        for number, batch in enumerate(train_loader):
            batch = batch.to("cuda", non_blocking=True)
            self.run_step(batch)


# case: declared-number-of-which-one-arm-is-a-tensor
import torch
from torch import Tensor


def update(parameter: Tensor, gradient: Tensor, rate: float) -> None:
    norm = torch.linalg.norm(parameter).clamp_(max=10)
    ratio: float = 1.0 if rate == 0 else norm / 3
    parameter.add_(gradient, alpha=-rate * ratio)  # sync: SYN209


# case: docstring-of-several-types-one-of-them-a-tensor
import torch


def saved(data, at):
    """Write what is given.

    Arguments
    ---------
    data : str, list, torch.Tensor, numpy.ndarray
        What to write.
    at : int, optional
        Where to begin.
    """
    if isinstance(data, torch.Tensor):
        data = data.tolist()  # sync: SYN202
    return data[at:]


# case: attribute-declared-as-a-dictionary
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import torch
from torch import Tensor


@singledispatch
def to_tensor(value: Any, device: str) -> Tensor:
    raise TypeError(f"{type(value)} is not supported")


@to_tensor.register(list)
def _(value, device):
    return torch.tensor(value, device=device)  # sync: SYN401


@to_tensor.register(dict)
def _(value, device):
    return {key: to_tensor(item, device) for key, item in value.items()}


@dataclass
class Normalize:
    stats: dict[str, dict[str, list]]
    _tensors: dict[str, dict[str, Tensor]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._tensors = to_tensor(self.stats, "cuda")

    def __call__(self, batch: Tensor, key: str) -> Tensor:
        if self._tensors and key in self._tensors:
            batch = batch - self._tensors[key]["mean"]
        return batch


# case: annotated-results-that-are-attributes-of-something-unknown
from collections.abc import Callable

import lightning.pytorch as pl
import torch


class Step:
    def __init__(self, engine, scale: float):
        self.engine = engine
        self.scale = scale

    @property
    def module(self) -> "pl.LightningModule":
        return self.engine.trainer.lightning_module

    @property
    def norm(self) -> torch.Tensor:
        return self.engine.norm

    def loss(self, batch) -> torch.Tensor:
        return self.engine(batch).loss

    def never_written(self) -> torch.Tensor | None:
        return self.found

    def count(self) -> int:
        return self.engine.count

    def factor(self) -> torch.Tensor:
        return self.scale  # annotated wrongly: what is returned is known

    def reader(self) -> Callable[[], float]:
        return self.engine.read

    def untold(self):
        return self.engine.norm


def train(step: Step, batches):
    for batch in batches:
        step.module.log("seen", 3.0)  # sync: SYN401
        if step.norm > 3:  # sync: SYN301
            print("large")
        while step.loss(batch) > 3:  # sync: SYN301
            print("still large")
        if step.never_written() > 3:  # sync: SYN301
            print("large")
        if step.count() > 3 or step.factor() > 3 or step.reader()() > 3 or step.untold() > 3:
            print("numbers, as far as anything tells")


# case: docstring-says-what-a-tensor-holds
import torch


def selected(rates: torch.Tensor, event: torch.Tensor, order: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Rates of what has happened.

    Args:
        rates (torch.Tensor, float): Rates.
        event (torch.Tensor, bool): Whether it has happened.
        order (torch.Tensor, int): Positions.
        rows (Tensor, optional): Positions as well.
    """
    return rates[event] + rates[order].sum() + rates[rows].sum()  # sync: SYN103


def masked(rates: torch.Tensor, happened: torch.BoolTensor) -> torch.Tensor:
    return rates[happened]  # sync: SYN103


def called(rates: torch.Tensor, event: torch.Tensor) -> torch.Tensor:
    return masked(rates, event[torch.argsort(rates)])


# case: a-pair-of-integers-stays-one-where-others-are-given-pairs-of-tensors
import torch
from torch import nn


class Grid(nn.Module):
    def __init__(self, height: int):
        super().__init__()
        self.height = height

    def forward(self, x: torch.Tensor, size: tuple[int, int]):
        if size[0] != self.height:
            x = x + 1
        return x


class Attention(nn.Module):
    def __init__(self, place=None):
        super().__init__()
        self.place = place
        self.query = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, places):
        query = self.query(x)
        if self.place is not None:
            query = self.place(query, places)
        else:
            cos, sin = places
            query = query * cos + sin
        return query


def counted(lengths: list[int]):
    return [length for length in lengths if length > 3]  # sync: SYN301


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Attention(place=Grid(4))
        self.second = Attention()

    def forward(self, x: torch.Tensor):
        x = self.first(x, (x.shape[1], x.shape[2]))
        return self.second(x, (x.cos(), x.sin()))


def main():
    model = Model().cuda()
    for step in range(1000):
        x = model(torch.randn(4, 4, 4, device="cuda"))
        counted([x.sum()])


main()
