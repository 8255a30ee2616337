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


# case: lists-of-tensors-are-compared-element-by-element
import torch


def is_only(found: list, wanted: torch.Tensor) -> bool:
    return found == [wanted]  # sync: SYN304


def is_empty(found: list[torch.Tensor], names: list[str]) -> bool:
    return found == [] or names == ["a"] or len(found) == len(names)


# case: what-an-object-holds-is-in-its-dictionary
import pprint

import torch


class Bag:
    def __init__(self, x: torch.Tensor, name: str):
        self.x, self.name = x, name

    def describe(self) -> str:
        return "".join(pprint.pformat(value) for value in self.__dict__.values())  # sync: SYN205


# case: the-first-element-tells-of-what-kind-all-are
from __future__ import annotations

import torch


def picked(x: dict[str, torch.Tensor], names: list[str] | list[list[str]]) -> list[torch.Tensor]:
    if isinstance(names[0], str):
        return [x["rows"][name] for name in names]
    return [x["rows"][name] for group in names for name in group]


def gathered(parts: list[torch.Tensor | float]) -> list[float]:
    if isinstance(parts[0], torch.Tensor):
        return [part.item() for part in parts]  # sync: SYN201
    return parts


# case: an-operator-of-a-library-may-do-otherwise-than-a-tensor
import torch
from operators import LinearOperator


def noise(covariance: torch.Tensor | LinearOperator, x: torch.Tensor) -> torch.Tensor:
    return covariance.cholesky() @ x


def sure(covariance: torch.Tensor) -> torch.Tensor:
    return torch.linalg.cholesky(covariance)  # sync: SYN505


# case: a-function-that-mentions-torch-alone-works-with-tensors
import numpy as np
import torch


def total(data, table: list) -> torch.Tensor:
    return sum(len(table[data.z[i].item()]) for i in range(3))  # sync: SYN201


def mixed(data, table: list) -> torch.Tensor:
    return sum(len(np.unique(table[data.z[i].item()])) for i in range(3))


# case: object-under-a-global-name
import torch
from torch import nn
from torch.utils.data import DataLoader

other = None


class Net(nn.Module):
    def forward(self, x, rows):
        return self.looked_up(x, rows)

    def looked_up(self, x, rows):
        return x + self.table(rows[0].to("cuda"))  # sync: SYN402


def applied(x, rows):
    return net(x.cuda(), rows) + other(x.cuda(), rows)  # sync: SYN402


def run(dataset) -> None:
    global net, other
    net = Net().cuda()
    other = Net().cuda()
    optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
    for x, rows in DataLoader(dataset, num_workers=2):
        applied(x, rows).sum().backward()
        optimizer.step()


run([])


# case: object-under-a-global-name-behind-a-branch
import torch
from torch import nn

try:
    from tqdm import tqdm
except ImportError:
    tqdm = None


class Net(nn.Module):
    def forward(self, x):
        return x[torch.tensor([0, 2])]  # sync: SYN403


def applied(x):
    return net(x.cuda()).sum().item()  # sync: SYN201


def run() -> None:
    global net
    net = Net().cuda()
    for _ in range(100_000):
        print(applied(torch.rand(3, device="cuda")))


run()


# case: keys-that-are-not-known-are-other-keys
import torch


def learn(*, number: int = 0, **parts) -> int:
    if number > 3:
        return number
    if parts["image"].mean() > 0:  # sync: SYN301
        return 1
    return 0


def step(names, image: torch.Tensor, caption: torch.Tensor, **settings) -> int:
    return learn(**{"number": 2, **dict(list(zip(names, (image.cuda(), caption.cuda()))))})


# case: what-a-base-is-given-says-nothing-of-what-another-method-makes
import torch
from torch import Tensor


class Scheduler:
    def __init__(self, count: int = 1000) -> None:
        self.count = count
        self.betas = torch.linspace(0, 1, count)
        self.timesteps = torch.arange(count - 1, -1, -1)


class Ancestral(Scheduler):
    def __init__(self, count: int = 1000) -> None:
        super().__init__(count)

    def set_timesteps(self, count: int, device: torch.device | None = None) -> None:
        self.timesteps = torch.linspace(self.count - 1, 0, count, device=device).long()

    def step(self, output: Tensor, timestep: int, sample: Tensor) -> Tensor:
        if timestep > 0:  # sync: SYN301
            sample = sample - output * 0.1
        return sample


# case: what-calls-leave-in-the-function-around
from torch import Tensor


def searched(x: Tensor, rounds: int) -> float:
    best, kept, table = None, [], {}

    def note(y: Tensor) -> None:
        nonlocal best
        best = y.max()
        kept.append(y.sum())
        table["last"] = y.mean()

    for _ in range(rounds):
        note(x)
    if best > 3:  # sync: SYN301
        return 0.0
    if rounds > 3:
        note(x * 2)
    return float(kept[-1]) + float(table["last"])  # sync: SYN203 SYN203


def counted(x: Tensor, rounds: int) -> int:
    kept, x = [], x.abs()

    def note() -> None:
        kept: list[Tensor] = []
        kept.append(x.sum())

    note()
    return 1 if kept[-1] > 3 else 0
