# case: chained-assignment
from torch import Tensor


def check(x: Tensor) -> int:
    first = second = x.isnan().any()
    return 1 if first else 0  # sync: SYN301


# case: tuple-unpacking-of-a-reduction
from torch import Tensor


def check(x: Tensor) -> int:
    values, indices = x.max(dim=1)
    return 1 if values[0] > 0 else 0  # sync: SYN301


# case: named-results
from torch import Tensor


def check(x: Tensor) -> int:
    top = x.topk(3)
    return 1 if top.values.sum() > 0 else 0  # sync: SYN301


# case: starred-unpacking
from torch import Tensor


def check(losses: list[Tensor]) -> int:
    first, *rest = losses
    return 1 if rest[0] > 0 else 0  # sync: SYN301


# case: swap
from torch import Tensor


def check(x: Tensor, count: int) -> int:
    x, count = count, x
    if x > 0:
        return 1
    return 1 if count > 0 else 0  # sync: SYN301


# case: assignment-expression
from torch import Tensor


def check(x: Tensor) -> Tensor:
    if (broken := x.isnan().any()):  # sync: SYN301
        return broken
    return x


# case: sum-that-starts-as-a-number
from torch import Tensor


def check(losses: list[Tensor]) -> int:
    total = 0.0
    for loss in losses:
        total += loss
    return 1 if total > 1 else 0  # sync: SYN301


# case: loop-that-carries-a-value-around
from torch import Tensor


def check(x: Tensor, steps: int) -> Tensor:
    previous = None
    for _ in range(steps):
        if previous is not None:
            if previous.sum() > 0:  # sync: SYN301
                break
        previous = x
        x = x * 2
    return x


# case: value-rebound-to-a-number
from torch import Tensor


def check(x: Tensor) -> int:
    x = x.size(0)
    return 1 if x else 0


# case: value-deleted-and-made-again
from torch import Tensor


def check(x: Tensor) -> int:
    total = x.sum()
    del total
    total = len(x)
    return 1 if total else 0


# case: attribute-of-a-plain-class
import torch


class Scaler:
    def __init__(self, device: str = "cuda") -> None:
        self.scale = torch.ones(1, device=device)
        self.count = 0

    def overflows(self) -> bool:
        if self.count > 10:
            return False
        return True if self.scale > 65504 else False  # sync: SYN301


# case: attribute-set-in-another-method
import torch
import torch.nn as nn
from torch import Tensor


class Router(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.balance = None

    def forward(self, x: Tensor) -> Tensor:
        self.balance = x.mean()
        return x

    def report(self) -> float:
        return float(self.balance)  # sync: SYN203


# case: parameter-of-a-module
import torch
import torch.nn as nn
from torch import Tensor


class Scale(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.gamma if self.gamma > 0 else x  # sync: SYN301


# case: buffer-of-a-module
import torch
import torch.nn as nn
from torch import Tensor


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("seen", torch.tensor(0))

    def forward(self, x: Tensor) -> Tensor:
        self.seen += 1
        return x if self.seen > 10 else x.detach()  # sync: SYN301


# case: registered-parameter
import torch
import torch.nn as nn
from torch import Tensor


class Scale(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_parameter("gamma", nn.Parameter(torch.ones(1)))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.gamma if self.gamma > 0 else x  # sync: SYN301


# case: number-attribute-of-a-module
import torch.nn as nn
from torch import Tensor


class Dropout(nn.Module):
    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p
        self.mask = None

    def forward(self, x: Tensor) -> Tensor:
        if self.p == 0 or not self.training or self.mask is None:
            return x
        return x / (1 - self.p)


# case: submodule-returns-tensors
import torch.nn as nn
from torch import Tensor


class Halting(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Sequential(nn.Linear(width, 1), nn.Sigmoid())

    def forward(self, x: Tensor) -> Tensor:
        for _ in range(8):
            halt = self.gate(x).mean()
            if halt > 0.5:  # sync: SYN301
                break
        return x


# case: module-of-the-file-returns-what-forward-returns
import torch.nn as nn
from torch import Tensor


class Norm(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.norm()


def check(x: Tensor) -> int:
    norm = Norm()
    return 1 if norm(x) > 0 else 0  # sync: SYN301


# case: module-whose-forward-returns-a-tuple
import torch.nn as nn
from torch import Tensor


class Pool(nn.Module):
    def forward(self, x: Tensor) -> tuple[Tensor, int]:
        return x.mean(dim=0), x.size(0)


def check(pool: Pool, x: Tensor) -> int:
    pooled, count = pool(x)
    if count > 1:
        return count
    return 1 if pooled.sum() > 0 else 0  # sync: SYN301


# case: state-of-a-metric
import torch
from torch import Tensor
from torchmetrics import Metric


class Errors(Metric):
    def __init__(self) -> None:
        super().__init__()
        self.add_state("wrong", default=torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: Tensor, target: Tensor) -> None:
        self.wrong += (preds != target).sum()
        if self.wrong > 100:  # sync: SYN301
            self.reset()

    def compute(self) -> Tensor:
        return self.wrong


# case: field-of-a-dataclass
from dataclasses import dataclass

from torch import Tensor


@dataclass
class Batch:
    scores: Tensor
    count: int = 0


def check(batch: Batch) -> int:
    if batch.count > 0:
        return batch.count
    return 1 if batch.scores.sum() > 0 else 0  # sync: SYN301


# case: field-of-a-named-tuple
from typing import NamedTuple

from torch import Tensor


class Batch(NamedTuple):
    scores: Tensor
    name: str


def check(batch: Batch) -> int:
    scores, name = batch
    if name:
        return 1 if batch.scores.sum() > 0 else 0  # sync: SYN301
    return int(scores.sum())  # sync: SYN203


# case: field-of-a-constructed-dataclass
from dataclasses import dataclass
from typing import Any

from torch import Tensor


@dataclass
class Step:
    loss: Any
    index: int


def check(x: Tensor, index: int) -> int:
    step = Step(x.mean(), index)
    if step.index:
        return step.index
    return 1 if step.loss > 0 else 0  # sync: SYN301


# case: item-of-a-list-display
from torch import Tensor


def check(x: Tensor) -> int:
    pair = [x.shape[0], x.mean()]
    if pair[0] > 0:
        return 1
    return 1 if pair[1] > 0 else 0  # sync: SYN301


# case: list-filled-in-a-loop
from torch import Tensor


def check(x: Tensor) -> int:
    totals = []
    for row in x:
        totals.append(row.sum())
    return 1 if totals[-1] > 0 else 0  # sync: SYN301


# case: dict-display-by-key
from torch import Tensor


def check(x: Tensor) -> int:
    result = {"loss": x.mean(), "count": len(x), "name": "x"}
    if result["count"] and result["name"]:
        return 1
    return 1 if result["loss"] > 0 else 0  # sync: SYN301


# case: dict-filled-by-key
from torch import Tensor


def check(x: Tensor) -> int:
    result = {}
    result["loss"] = x.mean()
    result["count"] = len(x)
    if result["count"]:
        return 1
    return 1 if result["loss"] > 0 else 0  # sync: SYN301


# case: list-comprehension
from torch import Tensor


def check(x: Tensor) -> int:
    totals = [row.sum() for row in x]
    return 1 if totals[0] > 0 else 0  # sync: SYN301


# case: dict-comprehension
from torch import Tensor


def check(x: Tensor) -> int:
    totals = {index: row.sum() for index, row in enumerate(x)}
    return 1 if totals[0] > 0 else 0  # sync: SYN301


# case: items-of-a-zip
from torch import Tensor


def check(x: Tensor, names: list[str]) -> list[str]:
    found = []
    for name, row in zip(names, x):
        if name:
            found += [name] if row.sum() > 0 else []  # sync: SYN301
    return found


# case: closure-over-a-tensor
from collections.abc import Callable

from torch import Tensor


def make(threshold: Tensor) -> Callable[[], bool]:
    def exceeded() -> bool:
        return bool(threshold)  # sync: SYN203

    return exceeded


# case: nested-function-returns-a-tensor
from torch import Tensor


def check(x: Tensor) -> int:
    def total() -> Tensor:
        return x.sum()

    return 1 if total() > 0 else 0  # sync: SYN301


# case: lambda-returns-a-tensor
from torch import Tensor


def check(x: Tensor) -> int:
    total = lambda t: t.sum()
    return 1 if total(x) > 0 else 0  # sync: SYN301


# case: decorator-that-keeps-the-function
import functools
from collections.abc import Callable

from torch import Tensor


def logged(function: Callable) -> Callable:
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
def total(x: Tensor) -> Tensor:
    return x.sum()


def check(x: Tensor) -> int:
    return 1 if total(x) > 0 else 0  # sync: SYN301


# case: no-grad-as-a-decorator
import torch
from torch import Tensor


@torch.no_grad()
def total(x: Tensor) -> Tensor:
    return x.sum()


def check(x: Tensor) -> int:
    return 1 if total(x) > 0 else 0  # sync: SYN301


# case: super-call
import torch.nn as nn
from torch import Tensor


class Norm(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.norm()


class Clipped(Norm):
    def forward(self, x: Tensor) -> Tensor:
        norm = super().forward(x)
        return norm if norm > 1 else norm / 2  # sync: SYN301


# case: inherited-method
from torch import Tensor


class Base:
    def total(self, x: Tensor) -> Tensor:
        return x.sum()


class Derived(Base):
    def check(self, x: Tensor) -> int:
        return 1 if self.total(x) > 0 else 0  # sync: SYN301


# case: inherited-attribute
import torch
import torch.nn as nn
from torch import Tensor


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))


class Derived(Base):
    def forward(self, x: Tensor) -> Tensor:
        return x if self.scale > 0 else -x  # sync: SYN301


# case: property
import torch.nn as nn
from torch import Tensor


class Layer(nn.Module):
    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight)

    @property
    def norm(self) -> Tensor:
        return self.weight.norm()

    def forward(self, x: Tensor) -> Tensor:
        return x / self.norm if self.norm > 1 else x  # sync: SYN301


# case: static-and-class-methods
from torch import Tensor


class Check:
    @staticmethod
    def total(x: Tensor) -> Tensor:
        return x.sum()

    @classmethod
    def mean(cls, x: Tensor) -> Tensor:
        return cls.total(x) / len(x)


def check(x: Tensor) -> int:
    if Check.total(x) > 0:  # sync: SYN301
        return 1
    return 1 if Check.mean(x) > 0 else 0  # sync: SYN301


# case: value-made-in-a-with-block
import torch
from torch import Tensor


def check(x: Tensor) -> int:
    with torch.no_grad(), torch.autocast("cuda"):
        total = x.sum()
    return 1 if total > 0 else 0  # sync: SYN301


# case: value-of-a-context-manager
from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor


@contextmanager
def scaled(x: Tensor) -> Iterator[Tensor]:
    yield x * 2


def check(x: Tensor) -> int:
    with scaled(x) as y:
        return 1 if y.sum() > 0 else 0  # sync: SYN301


# case: value-made-in-a-try-block
from torch import Tensor


def check(x: Tensor) -> int:
    try:
        total = x.view(2, -1).sum()
    except RuntimeError:
        total = x.sum()
    return 1 if total > 0 else 0  # sync: SYN301


# case: branch-that-leaves-early-does-not-join
from torch import Tensor


def check(x: Tensor, fast: bool) -> int:
    total = x.size(0)
    if not fast:
        total = x.sum()
        return total.argmax().numel()
    return 1 if total > 0 else 0


# case: branches-join
from torch import Tensor


def check(x: Tensor, fast: bool) -> int:
    if fast:
        total = x.amax()
    else:
        total = x.sum()
    return 1 if total > 0 else 0  # sync: SYN301


# case: conditional-expression-of-tensors
from torch import Tensor


def check(x: Tensor, fast: bool) -> int:
    total = x.amax() if fast else x.sum()
    return 1 if total > 0 else 0  # sync: SYN301


# case: attributes-of-a-tensor
from torch import Tensor


def check(x: Tensor) -> int:
    if x.T.sum() > 0:  # sync: SYN301
        return 1
    if x.data.mT[0, 0] > 0:  # sync: SYN301
        return 2
    return x.ndim if x.requires_grad and x.is_leaf else 0


# case: gradient-of-a-parameter
import torch.nn as nn


def check(model: nn.Module) -> float:
    total = 0.0
    for parameter in model.parameters():
        if parameter.grad is not None:
            total += parameter.grad.norm().item()  # sync: SYN201
    return total


# case: named-parameters
import torch.nn as nn


def check(model: nn.Module) -> list[str]:
    broken = []
    for name, parameter in model.named_parameters():
        if parameter.isnan().any():  # sync: SYN301
            broken.append(name)
    return broken


# case: arithmetic-with-numbers-stays-a-tensor
from torch import Tensor


def check(x: Tensor) -> int:
    share = 100.0 * (1 - x.mean()) // 2
    return 1 if -share > 0 else 0  # sync: SYN301


# case: pattern-matching-binds-values
from torch import Tensor


def check(x: Tensor, mode: str) -> int:
    match mode:
        case "sum":
            total = x.sum()
        case _:
            total = x.mean()
    return 1 if total > 0 else 0  # sync: SYN301


# case: result-of-a-model-that-is-a-parameter
import torch.nn as nn
from torch import Tensor


def check(model: nn.Module, x: Tensor) -> float:
    return model(x).mean().item()  # sync: SYN201


# case: function-of-an-unknown-module-with-the-name-of-a-method
import torch


def clean(xp, x, y, like: torch.Tensor):
    if xp.isnan(x).any():
        return 1 if xp.amax(like, axis=0) > 0 else 2
    return 1 if y.isnan().any() else 0  # sync: SYN301


# case: unknown-array-library-that-is-not-a-parameter
import torch
from somewhere import array_namespace


def clean(x, like: torch.Tensor):
    xp = array_namespace(x)
    if xp.isfinite(x).all():
        return 1
    return 2 if xp.any(xp.logical_not(x)) else 3


# case: method-in-place-in-its-older-form
import torch


def step(average, grad, beta):
    average.mul_(beta).add_(1 - beta, grad)
    return 1 if average.max() > 0 else 0  # sync: SYN301


# case: keywords-that-only-methods-of-tensors-have
import torch


def check(store, key: str, frame) -> int:
    y = getattr(store, key)
    found = (y == 1).nonzero(as_tuple=False).view(-1)  # sync: SYN101
    if frame.mean(dim="time") > 0 or frame.sum(axis=0) > 2:
        return 1
    return 2 if store.scores().amax(dim=-1) > 0 else len(found)  # sync: SYN301


# case: parameter-reduced-with-keywords-of-tensors
import torch


def largest(x, table, names: list[str]) -> int:
    if table.max(axis=0) > 1 or table.mean(dim="time") > 1:
        return 3
    top = x.max(dim=-1, keepdim=True)
    return 1 if x[0] > 0 else 0  # sync: SYN301


# case: class-of-the-project-that-is-a-tensor
import torch


class Image(torch.Tensor):
    meta: dict[str, float]

    def brightest(self) -> float:
        return self.max().item()  # sync: SYN201


def as_array(image: Image):
    return image.cpu().numpy()  # sync: SYN204


# case: switches-among-the-defaults-of-a-class
from dataclasses import dataclass

from torch import Tensor


@dataclass
class Config:
    sparse: bool = False


class Selection:
    strict: bool = False
    loud = False

    def __init__(self, config: Config) -> None:
        self.config = config
        self.sparse = config.sparse

    def forward(self, x: Tensor) -> Tensor:
        if self.sparse:
            return x.nonzero()  # sync: SYN101
        if self.config.sparse:
            return x.unique()  # sync: SYN102
        if self.strict:
            return x[x > 0]  # sync: SYN103
        if self.loud:
            print(x.sum())  # sync: SYN205
        return x


# case: classes-of-tensors
import torch


class Boxes(torch.Tensor):
    """A tensor with a meaning."""


def largest(boxes: Boxes, others: list[Boxes]) -> float:
    if boxes > 0:  # sync: SYN301
        return float(boxes)  # sync: SYN203
    kept = boxes[boxes > 1]  # sync: SYN103
    print(f"{others}")  # sync: SYN205
    either = boxes if len(others) > 3 else 2.0
    if (either + 1) > 3:  # sync: SYN301
        return 0.0
    return (kept + 1).sum().item()  # sync: SYN201


# case: counters-of-optimizers-are-on-the-cpu
from typing import List, cast

import torch
from torch import Tensor
from torch.optim.optimizer import Optimizer


def value_of(x):
    return x.item() if isinstance(x, torch.Tensor) else x


class Plain(Optimizer):
    def step(self) -> None:
        for group in self.param_groups:
            state_steps: List[Tensor] = []
            self.collect(group, state_steps)
            one_by_one(group["params"], state_steps, capturable=group["capturable"])

    def collect(self, group, state_steps) -> None:
        for p in group["params"]:
            state_steps.append(self.state[p]["step"])


def one_by_one(params: List[Tensor], state_steps: List[Tensor], capturable: bool) -> None:
    for index, p in enumerate(params):
        step = state_steps[index]
        p.mul_(1 - value_of(step))


def together(grouped) -> None:
    for (params, steps), _ in grouped.values():
        device_state_steps = cast(List[Tensor], steps)
        if device_state_steps[0] == 1:
            continue


def told(p: Tensor) -> None:
    state_steps = [torch.zeros((), device="cuda")]
    print(state_steps[0].item())  # sync: SYN201


# case: arrays-are-no-tensors-though-nothing-is-known-of-the-rest
import numpy as np
import torch


class Schedule:
    def __init__(self, last, count):
        self.last = last
        self.values = np.zeros(count)

    def __getitem__(self, step):
        if step >= len(self.values):
            return self.last
        return self.values[step]


def shown(value):
    if isinstance(value, torch.Tensor):
        value = value.item()
    return value


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, config) -> None:
    schedule = Schedule(config.last, 1000)
    for step in range(1000):
        optimizer.step()
        print(shown(schedule[step]))


# case: last-of-several-values
import torch


def parts(x: torch.Tensor) -> tuple[torch.Tensor, str, int]:
    return x, "name", 3


def used(x: torch.Tensor) -> None:
    *_, name, count = parts(x)
    reveal(name)  # revealed: str 'name'
    reveal(count)  # revealed: int 3
    first, *_, last = parts(x)
    reveal(first)  # revealed: Tensor
    reveal(last)  # revealed: int 3
    *_, a, b, c, d = parts(x)
    reveal(d)  # revealed: Tensor | int 3 | str 'name'

# case: what-stands-under-a-key-is-what-was-put-there
import torch


def gathered(groups: list[dict[str, torch.Tensor]], fields: list) -> dict[str, object]:
    kept: dict[str, object] = {}
    for field in fields:
        first = groups[0][field.name]
        kept[field.name] = torch.stack([first * torch.ones(3, device="cuda")])
        kept[field.name] = {}
        kept[field.name]["length"] = torch.ones(3)
    return kept


# case: what-stands-under-another-key-is-not-what-was-put-there
import torch


def gathered(x: torch.Tensor, names: list[str], numbers: list[int]) -> float:
    kept: dict[str, object] = {}
    for name in names:
        kept[name] = x.sum()
    for name in names:
        kept[name] = 1.0
        name = name + "_of_all"
        total = kept[name].item()  # sync: SYN201
    rows = [x.sum(), x.mean()]
    for number, other in zip(numbers, reversed(numbers)):
        rows[other] = 1.0
        total += rows[number].item()  # sync: SYN201
    return total
