# case: fields-of-a-subclass-keep-the-places-of-their-first-declaration
from dataclasses import dataclass
from typing import Any, ClassVar

import torch


@dataclass
class Step:
    index: Any
    loss: Any = None


@dataclass
class NamedStep(Step):
    kind: ClassVar[int] = 3
    name: Any = ""
    index: Any = 0


def check() -> int:
    step = NamedStep(1, torch.zeros(1, device="cuda").sum(), "first")
    reveal(step.index)  # revealed: int 1
    reveal(step.loss)  # revealed: Tensor[cuda, float, 0-d]
    reveal(step.name)  # revealed: str 'first'
    return 1 if step.loss > 0 else 0  # sync: SYN301


# case: what-comes-after-the-constructor-of-a-dataclass-is-run
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Any

import torch


@dataclass
class State:
    step: int
    _: KW_ONLY
    scale: Any = 1
    total: Any = field(init=False)
    start: InitVar[Any] = None

    def __post_init__(self, start: Any) -> None:
        self.total = start * 2
        self.running = self.scale > 1


def check(step: int) -> int:
    state = State(step, scale=torch.ones(1, device="cuda").sum(), start=torch.zeros(1, device="cuda").sum())
    reveal(state.scale)  # revealed: Tensor[cuda, float, 0-d]
    if state.step:
        return 1 if state.running else 0  # sync: SYN301
    return 1 if state.total > 0 else 0  # sync: SYN301


# case: copies-of-a-dataclass-hold-what-it-holds
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

import torch


@dataclass
class Step:
    loss: Any
    index: Any = 0


@dataclass
class Run:
    step: Any
    name: str = ""


def check() -> None:
    step = Step(torch.zeros(1, device="cuda").sum())
    reveal(replace(step, index=4).loss)  # revealed: Tensor[cuda, float, 0-d]
    reveal(replace(step, index=4).index)  # revealed: int 4
    reveal(replace(step, loss=0.5).loss)  # revealed: float 0.5
    reveal(astuple(step)[0])  # revealed: Tensor[cuda, float, 0-d]
    reveal(asdict(step)["loss"])  # revealed: Tensor[cuda, float, 0-d]
    reveal(asdict(Run(step))["step"]["loss"])  # revealed: Tensor[cuda, float, 0-d]


# case: classes-of-attrs-have-constructors
from typing import Any

import attr
import attrs
import torch


@attr.s
class Old:
    loss = attr.ib()
    index = attr.ib(default=3)


@attr.s(auto_attribs=True)
class Annotated:
    loss: Any
    index: Any = attr.ib(default=3, kw_only=True)


@attrs.define
class New:
    _loss: Any
    index: Any = attrs.field(alias="number", default=0)

    def __attrs_post_init__(self) -> None:
        self.doubled = self._loss * 2


def check() -> int:
    loss = torch.zeros(1, device="cuda").sum()
    reveal(Old(loss, 2).loss)  # revealed: Tensor[cuda, float, 0-d]
    reveal(Old(loss, 2).index)  # revealed: int 2
    reveal(Annotated(loss, index=2).index)  # revealed: int 2
    new = New(loss=loss, number=5)
    reveal(new._loss)  # revealed: Tensor[cuda, float, 0-d]
    reveal(new.index)  # revealed: int 5
    reveal(attrs.evolve(new, index=6).index)  # revealed: int 6
    return 1 if new.doubled > 0 else 0  # sync: SYN301


# case: a-named-tuple-is-a-tuple
from collections import namedtuple
from typing import Any, NamedTuple

import torch


class Output(NamedTuple):
    count: int
    logits: torch.Tensor
    loss: Any = None


Pair = namedtuple("Pair", ["left", "right"])


def check(count: int) -> int:
    output = Output(count, torch.zeros(3, device="cuda"))
    reveal(output[0])  # revealed: int
    reveal(output[1])  # revealed: Tensor[cuda, float, 1-d]
    reveal(output._replace(count=4).count)  # revealed: int 4
    reveal(output._asdict()["logits"])  # revealed: Tensor[cuda, float, 1-d]
    left, right = Pair(1, torch.zeros(1, device="cuda").sum())
    reveal(left)  # revealed: int 1
    if output[0] > 1:
        return 1 if right > 0 else 0  # sync: SYN301
    for part in Pair(torch.zeros(1, device="cuda").sum(), torch.ones(1, device="cuda").sum()):
        if part > 0:  # sync: SYN301
            return 1
    return 0


# case: a-typed-dictionary-is-a-dictionary
from typing import TypedDict

import torch


class Named(TypedDict):
    name: str


class Batch(Named, total=False):
    image: torch.Tensor
    size: int


def check(batch: Batch) -> int:
    reveal(batch["image"])  # revealed: Tensor
    reveal(batch["size"])  # revealed: int
    reveal(batch.get("name"))  # revealed: str
    made = Batch(name="a", image=torch.zeros(1, device="cuda").sum(), size=3)
    reveal(made["size"])  # revealed: int 3
    if batch["name"] or batch["size"] > 2:
        return 1 if made["image"] > 0 else 0  # sync: SYN301
    return 1 if batch["image"].sum() > 0 else 0  # sync: SYN301


# case: fields-of-a-model-are-what-it-is-given
from typing import Any

import torch
from pydantic import BaseModel


class Settings(BaseModel):
    rate: Any
    steps: int = 3


class MoreSettings(Settings):
    threshold: Any = 0


def check(threshold: float) -> int:
    settings = MoreSettings(rate=torch.ones(1, device="cuda").sum(), threshold=threshold)
    if settings.threshold > 0 and settings.steps:
        return 1
    return 1 if settings.rate > 0 else 0  # sync: SYN301


# case: a-property-is-set-by-its-setter
from typing import Any

import torch


class Meter:
    def __init__(self) -> None:
        self._value = 0.0

    @property
    def value(self) -> Any:
        return self._value

    @value.setter
    def value(self, given: Any) -> None:
        self._value = given.sum()


def check() -> int:
    meter = Meter()
    meter.value = torch.ones(3, device="cuda")
    return late(meter)


def late(meter: Meter) -> int:
    return 1 if meter._value > 0 else 0  # sync: SYN301


# case: a-descriptor-gives-what-its-method-returns
from typing import Any

import torch


class Score:
    def __get__(self, instance: Any, owner: Any) -> torch.Tensor:
        return torch.zeros(1, device="cuda").sum()


class Model:
    score = Score()
    steps = 3


def check(model: Model, most: int) -> int:
    if model.steps > most:
        return 0
    return 1 if model.score > 0 else 0  # sync: SYN301


# case: getattr-gives-what-no-attribute-does
from typing import Any

import torch


class Buffers:
    steps = 3

    def __getattr__(self, name: str) -> Any:
        return torch.zeros(1, device="cuda").sum()


def check(buffers: Buffers, most: int) -> int:
    if buffers.steps > most:
        return 0
    return 1 if buffers.loss > 0 else 0  # sync: SYN301


# case: methods-of-a-metaclass-are-the-class-s
import torch


class Registry(type):
    def threshold(cls) -> torch.Tensor:
        return torch.zeros(1, device="cuda").sum()


class Model(metaclass=Registry):
    pass


def check() -> int:
    return 1 if Model.threshold() > 0 else 0  # sync: SYN301


# case: fields-that-are-annotated-as-anything
from dataclasses import dataclass
from typing import Any

import torch


class Task:
    def is_over(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum() > 0


@dataclass
class State:
    task: Any
    size: int = 0


def finish(state: State, x: torch.Tensor) -> None:
    if state.task.is_over(x):  # sync: SYN301
        print("over")
    if state.size:
        print("not empty")


def start(x: torch.Tensor) -> State:
    return State(task=Task(), size=x.sum())


# case: tensors-given-to-annotated-fields
from dataclasses import dataclass

import torch


@dataclass
class State:
    number: torch.Tensor
    scores: torch.Tensor
    either: torch.Tensor


def dispatch(x: torch.Tensor) -> State:
    return State(torch.tensor([1]), x.softmax(dim=-1), torch.zeros(3))


def elsewhere(x: torch.Tensor) -> State:
    return State(number=torch.ones(1), scores=x, either=x)


def combine(state: State) -> None:
    state.number.item()
    state.scores.max().item()  # sync: SYN201
    state.either.max().item()  # sync: SYN201


# case: fields-read-above-what-makes-the-record
from dataclasses import dataclass

import torch


def read(plan: "Plan") -> None:
    reveal(plan.lengths)  # revealed: Tensor[cpu, int]
    plan.lengths.max().item()


@dataclass
class Plan:
    lengths: torch.Tensor


def plan() -> Plan:
    return Plan(lengths=torch.tensor([1, 2]))


# case: fields-of-classes-that-are-defined-within-or-further-down
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Plan:
    @dataclass
    class Chunk:
        number: int
        starts: Tensor

    @dataclass
    class Context:
        chunks: "list[Plan.Chunk]"

    context: Context | None = None
    blocks: "Blocks | None" = None


@dataclass
class Blocks:
    number: int
    table: Tensor


def lengths(plan: Plan) -> list[float]:
    context = plan.context
    if context is None or plan.blocks is None:
        return []
    chosen = [torch.diff(chunk.starts)[chunk.starts[1:] > 0] for chunk in context.chunks]  # sync: SYN103
    reveal(plan.blocks)  # revealed: Blocks()
    return [float(plan.blocks.table[0]), *(one.sum().item() for one in chosen)]  # sync: SYN203, SYN201


# case: containers-of-classes-that-are-defined-further-down
from dataclasses import dataclass, field

from torch import Tensor


@dataclass
class Batch:
    requests: "list[Request]" = field(default_factory=list)
    groups: "dict[str, list[Request]]" = field(default_factory=dict)
    newest: "Request" = field(kw_only=True)


class Waiting:
    requests: "list[Request]" = []
    groups: "dict[str, list[Request]]" = {}
    marks: "list[Request]" = [1, 2]


@dataclass
class Request:
    number: int
    score: Tensor


def scores(batch: Batch, waiting: Waiting) -> list[float]:
    reveal(batch.requests)  # revealed: list[*Request()]
    reveal(batch.groups)  # revealed: {*: list[*Request()]}
    reveal(batch.newest)  # revealed: Request()
    reveal(waiting.requests)  # revealed: list[*Request()]
    reveal(waiting.groups)  # revealed: {*: list[*Request()]}
    reveal(waiting.marks)  # revealed: list[int 1, int 2]
    return [float(one.score) for one in batch.requests]  # sync: SYN203


# case: dictionaries-with-attributes-of-tensors
import torch
from munch import Munch
from torch.utils.data import DataLoader


class Inputs:
    def __init__(self, loader: DataLoader) -> None:
        self.loader = loader

    def __next__(self) -> Munch:
        x, y = next(iter(self.loader))
        inputs = Munch(x=x, y=y, noise=torch.randn(4, 3))
        settings = Munch(rate=0.5, name="one")
        for value in settings.values():
            print(value.to("cuda"))
        return Munch({key: value.to("cuda") for key, value in inputs.items()})  # sync: SYN402


def train(dataset, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    inputs = Inputs(DataLoader(dataset, num_workers=2))
    for _ in range(1000):
        batch = next(inputs)
        loss = model(batch.x, batch.noise).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201
