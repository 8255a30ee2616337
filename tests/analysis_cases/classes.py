# case: attribute-that-subclasses-give
import torch
from torch import Tensor


class Tableau:
    middle: Tensor
    order = None

    def moved(self, y: Tensor) -> Tensor:
        return self.middle.to(y.device) * y  # sync: SYN402

    def weighted(self, y: Tensor) -> Tensor:
        return self.order.to(y.device) * y  # sync: SYN402


class Midpoint(Tableau):
    middle = torch.tensor([0.1, 0.9])
    order = torch.tensor([1.0, 2.0])


# case: method-that-subclasses-have-to-write
import torch
from torch import Tensor


class Source:
    def values(self) -> Tensor:
        """What it holds."""
        raise NotImplementedError

    def nothing(self) -> Tensor: ...


class Fixed(Source):
    def values(self) -> Tensor:
        return torch.tensor([1.0, 2.0])

    def nothing(self) -> Tensor:
        return torch.zeros(3)


def uploaded(source: Source, device: torch.device) -> Tensor:
    return source.values().to(device) + source.nothing().to(device)  # sync: SYN402


# case: one-class-of-a-table
import torch
from torch import Tensor


class Solver:
    def __init__(self, y: Tensor, tolerance: float):
        self.tolerance = torch.as_tensor(tolerance, device=y.device)  # cold: SYN401

    def integrated(self, t: Tensor) -> list[int]:
        return [index for index in range(len(t)) if t[index] > 0.5]  # sync: SYN301


class A(Solver): ...
class B(Solver): ...
class C(Solver): ...
class D(Solver): ...
class E(Solver): ...
class F(Solver): ...
class G(Solver): ...


SOLVERS = {"a": A, "b": B, "c": C, "d": D, "e": E, "f": F, "g": G}


def solve(y, t, method: str):
    return SOLVERS[method](y, 1e-7).integrated(t)


# case: operators-that-a-class-defines
import torch
from torch import Tensor


class Box:
    def __init__(self, low: Tensor):
        self.low = low

    def __eq__(self, other):
        return (self.low == other.low).all()

    def __lt__(self, other):
        return (self.low < other.low).all()

    def __mul__(self, factor):
        return self.low * factor


def compared(x: Tensor) -> float:
    first, second = Box(x), Box(x + 1)
    if first == second:  # sync: SYN301
        return 0.0
    if first < second or x.ndim == 1:  # sync: SYN303
        return 1.0
    return float(first * 2)  # sync: SYN203


# case: autograd-functions-are-applied
import torch
from torch import Tensor


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        return x * torch.as_tensor(factor, device=x.device)  # sync: SYN401


class Shifted(torch.autograd.Function):
    @staticmethod
    def forward(x, offset):
        return x + torch.as_tensor(offset, device=x.device)  # sync: SYN401

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)


def scaled(x: Tensor) -> float:
    return Scaled.apply(x, 2.0).sum().item() + Shifted.apply(x, 1.0).sum().item()  # sync: SYN201


# case: autograd-functions-with-class-methods
import torch
from torch import Tensor
from torch.autograd import Function


def threshold(x: Tensor, size=None) -> Tensor:
    if size is not None and size < x.shape[-1]:
        return x[x.sort(-1).values == size]  # sync: SYN103
    return x


class Sparse(Function):
    @classmethod
    def forward(cls, ctx, x, size=None):
        return threshold(x, size)


def sparse(x: Tensor, size=None) -> Tensor:
    return Sparse.apply(x, size)


# case: buffers-where-they-are-made
import torch
from torch import nn


class Levels(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.register_buffer("levels", torch.tensor(levels, dtype=torch.int32))
        self.size = self.levels.prod().item()

    def forward(self, x):
        return x * self.levels.prod().item()  # sync: SYN201


# case: a-metaclass-s-call-is-followed-to-the-constructor
from typing import Any

import torch


class Counting(type):
    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        made.peak = torch.zeros(1, device="cuda").max()
        return made


class Meter(metaclass=Counting):
    def __init__(self, total: Any) -> None:
        self.total = total


class Other(metaclass=Counting):
    def __init__(self, total: Any) -> None:
        self.total = total


def check() -> int:
    meter = Meter(torch.zeros(1, device="cuda").sum())
    reveal(meter)  # revealed: Meter()
    other = Other(3)
    if meter.peak > 0:  # sync: SYN301
        return 3
    if other.total > 2:
        return 2
    return 1 if meter.total > 0 else 0  # sync: SYN301


# case: a-metaclass-changes-what-the-constructor-is-given
from typing import Any

import torch


class Reducing(type):
    def __call__(cls, value: Any) -> Any:
        return type.__call__(cls, value.shape[0])


class Count(metaclass=Reducing):
    def __init__(self, value: Any) -> None:
        self.value = value


def check(x: torch.Tensor) -> int:
    return 1 if Count(x).value > 0 else 0


# case: a-metaclass-may-give-something-else-than-an-object
from typing import Any

import torch


class Summed(type):
    def __call__(cls, x: Any) -> Any:
        return x.sum()


class Sized(type):
    def __call__(cls, x: Any) -> Any:
        return len(x)


class Total(metaclass=Summed):
    pass


class Length(metaclass=Sized):
    pass


def check(x: torch.Tensor) -> int:
    if Length(x) > 0:
        return 2
    return 1 if Total(x) > 0 else 0  # sync: SYN301


# case: a-metaclass-that-keeps-its-only-object-gives-an-object-of-the-class
from typing import Any

import torch


class Single(type):
    made: dict = {}

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls not in Single.made:
            Single.made[cls] = super().__call__(*args, **kwargs)
        return Single.made[cls]


class State(metaclass=Single):
    def __init__(self) -> None:
        self.limit = torch.zeros(1, device="cuda").sum()


class Names(metaclass=Single):
    def __init__(self) -> None:
        self.limit = 3


def check() -> int:
    reveal(State())  # revealed: State()
    if Names().limit > 2:
        return 2
    return 1 if State().limit > 0 else 0  # sync: SYN301


# case: an-abstract-class-is-made-as-any-other
from abc import ABCMeta

from torch import Tensor
from torch.distributions import Normal


class Shifted(Normal, metaclass=ABCMeta):
    pass


def drawn(mean: Tensor) -> Tensor:
    return Shifted(mean, mean.exp()).rsample()  # sync: SYN504


# case: what-a-method-makes-when-it-is-first-called
import torch


class Queue:
    def __init__(self, size: int) -> None:
        self.size = size

    def exchange(self, batch: torch.Tensor) -> torch.Tensor:
        if not hasattr(self, "rows"):
            self.rows = torch.zeros(self.size, 8).cuda()  # once: SYN402
        order = torch.randperm(self.size)
        self.rows = self.rows[order]  # sync: SYN403
        return self.rows[: len(batch)].clone()


def train(model, optimizer, batches) -> None:
    queue = Queue(64)
    for batch in batches:
        loss = model(queue.exchange(batch)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: what-an-attribute-is-given-tells-more-than-its-declaration
from typing import Annotated

import torch
from torch import Tensor, nn


class Fields:
    def __init__(self, **given) -> None:
        for name, value in given.items():
            setattr(self, name, value)

    def __getitem__(self, name: str):
        return getattr(self, name)


class Spoken(Fields):
    features: Annotated[Tensor, "batch", "frames"]
    mask: Annotated[Tensor, "batch", "frames"]


class Placed:
    table: Tensor

    def __init__(self) -> None:
        self.table = None

    def fill(self) -> None:
        self.table = torch.ones(4)


class Encoder(nn.Module):
    def spoken(self, features: Tensor, **given) -> Spoken:
        mask = given.pop("mask", None)
        if mask is None:
            mask = torch.arange(8, device=features.device) < 4
        return Spoken(features=features, mask=mask)

    def forward(self, features: Tensor, **given) -> Tensor:
        spoken = self.spoken(features, **given)
        return spoken["features"][spoken["mask"]]  # sync: SYN103


def first(placed: Placed) -> float:
    return placed.table[0].item()


# case: what-a-class-declares-holds-where-nothing-is-known-of-what-is-assigned
import torch
from ours import resolved
from torch import Tensor


class Link:
    def reduced(self, x: Tensor) -> Tensor:
        return x + 1


class Store:
    def reduced(self, x: Tensor) -> Tensor:
        return x


class Group:
    link: Link | None

    def __init__(self, spread: bool) -> None:
        self.link = None
        self.other = None
        if spread:
            self.link = resolved("Link")()
            self.other = resolved("Link")()

    def declared(self, x: Tensor) -> Tensor:
        if self.link is None:
            raise ValueError
        reveal(self.link)  # revealed: Link()
        return self.link.reduced(x)

    def undeclared(self, x: Tensor) -> Tensor:
        if self.other is None:
            raise ValueError
        reveal(self.other)  # revealed: unknown
        return self.other.reduced(x)


# case: attributes-of-many-classes-by-their-names
import torch


class Schema:
    def __init__(self, **values: object) -> None:
        for name, value in values.items():
            setattr(self, name, value)

    def __getitem__(self, name: str) -> object:
        """What is called so."""
        return getattr(self, name)

    def get(self, name: str, default: object = None) -> object:
        return getattr(self, name, default)


class Audio(Schema):
    features: torch.Tensor
    sizes: list[int]
    length: int
    kind: str
    rate: int
    places: list[str]
    title: str
    selected: torch.BoolTensor


class Image(Schema):
    height: int
    width: int
    form: str
    path: str
    pixels: torch.Tensor


class Model(torch.nn.Module):
    def describe_image(self, image: Image) -> tuple[object, ...]:
        return image["height"], image["width"], image["form"], image["path"], image["pixels"]

    def describe_audio(self, audio: Audio) -> tuple[object, ...]:
        return audio["sizes"], audio["length"], audio["kind"], audio["rate"], audio["places"], audio["title"]

    def forward(self, audio: Audio) -> torch.Tensor:
        if audio["length"] > 5:
            return audio["features"][audio["selected"]]  # sync: SYN103
        return audio.get("features")[audio.get("selected")]  # sync: SYN103


# case: a-module-that-is-saved-as-a-whole-is-copied-to-the-host
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


class Options:
    width = 3


def main() -> None:
    model = Model().to("cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(9):
        for batch in torch.rand(99, 3, 3, device="cuda"):
            model(batch).sum().backward()
            optimizer.step()
        torch.save(model, "model.pt")  # epoch: SYN204
        torch.save(Options(), "options.pt")


if __name__ == "__main__":
    main()


# case: dictionary-whose-items-are-attributes
import torch
from addict import Dict


class Cloud(Dict):
    def arrange(self) -> None:
        if "cells" not in self.keys():
            self["cells"] = torch.div(self.places, self.width, rounding_mode="trunc").int()
        depth = int(self.cells.max() + 1).bit_length()  # sync: SYN203
        self["depth"] = depth
        print(self["depth"] + 1, self["cells"].sum().item())  # sync: SYN201


class Plain(dict):
    def arrange(self) -> None:
        self["cells"] = torch.ones(3, device="cuda")
        print(self.cells)


class Net(torch.nn.Module):
    def forward(self, given):
        cloud = Cloud(given)
        cloud.arrange()
        Plain(given).arrange()
        return cloud.places


# case: what-vars-gives-goes-by-names
class Data:
    def __init__(self, x):
        self.x = x

    def names(self, *others):
        reveal([name for name in self.__dict__])  # revealed: list[*str]
        reveal(sorted(vars(self)))  # revealed: list[*str]
        reveal(list(set(vars(self).keys()) - set(others)))  # revealed: list[*str]
        for name in dir(self):
            reveal(name)  # revealed: str
        for name in others:
            reveal(name)  # revealed: unknown


def names_of(other):
    reveal([name for name in other.__dict__])  # revealed: list[*str]
    reveal([name for name in vars(other).keys()])  # revealed: list[*str]
    reveal([name for name in other.names])  # revealed: list[*unknown]


# case: attributes-that-a-method-declares-as-tensors-are-where-what-is-assigned-is
from typing import Optional

import numpy as np
import torch
from torch import Tensor
from unseen import read


class Buffer:
    def __init__(self, size: int) -> None:
        self.size = size
        self.rows: torch.Tensor = None
        self.marks: Optional[Tensor] = None
        self.moved: Tensor | None = None
        self.read: Optional[Tensor] = None

    def begin(self) -> None:
        self.rows = torch.zeros(self.size, 3)
        self.marks = torch.zeros(self.size)
        self.moved = torch.zeros(self.size).cuda()  # once: SYN402
        self.read = read(self.size)

    def sample(self, count: int):
        index = np.random.choice(self.size, size=count)
        print(self.marks.sum().item())
        print(self.read.sum().item())  # sync: SYN201
        return self.rows[index], self.moved[index]  # sync: SYN403


def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    buffer = Buffer(100)
    buffer.begin()
    for _ in range(1000):
        rows, moved = buffer.sample(8)
        loss = model(rows.cuda() + moved).mean()  # sync: SYN402
        loss.backward()
        optimizer.step()


# case: parts-that-the-constructor-of-a-base-leaves-to-subclasses-with-their-own-constructors
import torch
from torch import nn


class Plain(nn.Module):
    def forward(self, x: torch.Tensor, size):
        if size[0] == 3:
            return x
        return x * 2


class Scaled(nn.Module):
    def forward(self, x: torch.Tensor, size):
        if size.max() > 3:  # sync: SYN301
            return x
        return x * size


class Base(nn.Module):
    def __init__(self, options, prefix: str = "") -> None:
        super().__init__()
        self.part = self.made(options, prefix)

    def made(self, options, prefix: str) -> nn.Module:
        raise NotImplementedError


class First(Base):
    def __init__(self, options) -> None:
        super().__init__(options, prefix="first")
        assert options.version == 1

    def made(self, options, prefix: str) -> nn.Module:
        return Plain()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.part(x, (3, len(x)))


class Second(Base):
    def __init__(self, options) -> None:
        super().__init__(options, prefix="second")
        assert options.version == 2

    def made(self, options, prefix: str) -> nn.Module:
        return Scaled()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.part(x, x.sum(0))


def train(loader, options) -> None:
    model = {1: First, 2: Second}[options.version](options).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    for x in loader:
        loss = model(x.cuda()).sum()  # sync: SYN402
        loss.backward()
        optimizer.step()
