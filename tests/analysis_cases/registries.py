# case: functions-in-a-dictionary-that-a-decorator-fills
import losses
import torch
from registry import LOSSES


def train(model, loader, optimizer, name: str) -> None:
    loss_of = LOSSES[name]
    for x in loader:
        x = x.cuda(non_blocking=True)
        loss = torch.nn.functional.mse_loss(model(x), x)
        print(loss_of(loss), LOSSES["second"](loss), losses.__name__)
        loss.backward()
        optimizer.step()


# file: registry.py
LOSSES = {}


def register(name):
    def put(function):
        LOSSES[name] = function
        return function

    return put


def unchanged(name):
    def give(function):
        return function

    return give


# file: losses.py
import torch
from registry import register, unchanged


@register("first")
def first(x):
    return torch.sqrt(x).item()  # sync: SYN201


@register(name="second")
def second(x):
    return float(x)  # sync: SYN203


@unchanged("third")
def third(x):
    return int(x)


# case: key-of-a-registry-that-is-known
import torch
from registry import LOSSES, register


@register("first")
def first(x):
    return int(x)


@register("second")
def second(x):
    return bool(x)  # sync: SYN203


def step(x: torch.Tensor) -> bool:
    return LOSSES["second"](x.sum())


# file: registry.py
LOSSES = {}


def register(name):
    def put(function):
        LOSSES[name] = function
        return function

    return put


# case: classes-in-an-object-that-a-decorator-fills
import losses
import torch
from registry import LOSSES, STEPS


def train(model, loader, optimizer, name: str) -> None:
    loss_of = LOSSES.get(name)(0.5)
    for x in loader:
        x = x.cuda(non_blocking=True)
        loss = torch.nn.functional.mse_loss(model(x), x)
        print(loss_of(loss), losses.__name__)
        for step in STEPS:
            step(loss)
        loss.backward()
        optimizer.step()


# file: registry.py
STEPS = []


class Registry:
    def __init__(self) -> None:
        self._held = {}

    def _put(self, name, what) -> None:
        self._held[name] = what

    def register(self, name=None):
        def given(what):
            self._put(name or what.__name__, what)
            return what

        return given

    def get(self, name):
        return self._held[name]


LOSSES = Registry()


def each_step(function):
    STEPS.append(function)
    return function


# file: losses.py
import torch
from registry import LOSSES, each_step


@LOSSES.register()
class Focal:
    def __init__(self, gamma: float) -> None:
        self.gamma = gamma

    def __call__(self, x):
        return torch.pow(x, self.gamma).item()  # sync: SYN201


@each_step
def check(x):
    if x > 3:  # sync: SYN301
        raise ValueError("too much")


# case: functions-in-an-object-whose-method-is-a-decorator-or-makes-one
import tables
import torch
from registry import TABLES


def train(model, loader, optimizer, name: str) -> None:
    for x in loader:
        x = x.cuda(non_blocking=True)
        weights = TABLES.get(name)().cuda()  # sync: SYN402
        loss = torch.nn.functional.mse_loss(model(x) * weights, x)
        print(tables.__name__)
        loss.backward()
        optimizer.step()


# file: registry.py
class Registry:
    def __init__(self) -> None:
        self._held = {}

    def _put(self, name, what) -> None:
        if name in self._held:
            raise KeyError(name)
        self._held[name] = what

    def register(self, what=None):
        if what is None:

            def given(later):
                name = later.__name__
                self._put(name, later)
                return later

            return given
        self._put(what.__name__, what)

    def get(self, name):
        found = self._held.get(name)
        if found is None:
            raise KeyError(name)
        return found


TABLES = Registry()


# file: tables.py
import torch
from registry import TABLES


@TABLES.register()
def linear():
    return torch.linspace(0, 1, 8)


@TABLES.register()
def square():
    return torch.linspace(0, 1, 8) ** 2


# case: what-the-dictionary-of-a-module-holds
import tables


def train(model, loader, optimizer, name: str) -> None:
    for x in loader:
        x = x.cuda(non_blocking=True)
        weights = tables.__dict__[name]().cuda()  # sync: SYN402
        others = vars(tables)[name]().cuda()  # sync: SYN402
        loss = (model(x) * weights * others).sum()
        loss.backward()
        optimizer.step()


# file: tables.py
import torch


def linear():
    return torch.linspace(0, 1, 8)


def square():
    return torch.linspace(0, 1, 8) ** 2


# case: calls-at-the-top-of-a-module-fill-a-registry
import torch
from torch.utils.data import DataLoader

FUNCTIONS = {}
ROWS = [torch.rand(3)]


class Registry:
    def __init__(self):
        self.known = {}

    def register(self, name, function):
        self.known[name] = function


LOSSES = Registry()


def register(name, function):
    FUNCTIONS[name] = function


def told(name, function):
    return name


def build(name):
    return FUNCTIONS[name]


def scaled(x: torch.Tensor) -> torch.Tensor:
    return x / x.norm().item()  # eval: SYN201


def clipped(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(max=1) if x.max() > 1 else x  # eval: SYN301


def on_host(x: torch.Tensor) -> torch.Tensor:
    return x.cpu()  # sync: SYN204


register("scaled", scaled)
LOSSES.register("clipped", clipped)
told("on_host", on_host)


def validate(model: torch.nn.Module, loader: DataLoader, name: str) -> list[torch.Tensor]:
    function, loss_function = build("scaled"), LOSSES.known[name]
    model.eval()
    with torch.no_grad():
        return [loss_function(function(model(batch.cuda(non_blocking=True)))) for batch in loader]


def train(model: torch.nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer, name: str) -> None:
    for epoch in range(10):
        for batch in loader:
            loss = model(batch.cuda(non_blocking=True)).mean()
            loss.backward()
            optimizer.step()
            print(loss.item())  # sync: SYN201
        validate(model, loader, name)


if __name__ == "__main__":
    model = torch.nn.Linear(3, 3).cuda()
    loader = DataLoader(ROWS, num_workers=2, pin_memory=True)
    train(model, loader, torch.optim.SGD(model.parameters()), "clipped")


# case: what-a-table-has-for-the-default-of-an-option
import torch
from typing_extensions import reveal_type as reveal


class Fused:
    pass


class Slow:
    pass


class Slower:
    pass


KINDS = {"fused": Fused, "slow": Slow, "slower": Slower}


def resolved(kind: str, fallback: str = "slower") -> str:
    if kind == "fused" and not hasattr(torch.ops, "fused"):
        kind = fallback
    return kind


class Config:
    def __init__(self, kind: str = "fused", last=None) -> None:
        self.kind = kind
        self.last = last


def build(config: Config, given: str, is_fast: bool) -> None:
    reveal(KINDS[config.kind]())  # revealed: Fused()
    reveal(KINDS.get(config.kind)())  # revealed: Fused()
    reveal(KINDS[resolved(config.kind, "slow")]())  # revealed: Fused() | Slow()
    reveal(KINDS["slow" if is_fast else "slower"]())  # revealed: Slow() | Slower()
    reveal(KINDS[given]())  # revealed: Fused() | Slow() | Slower()
    reveal(KINDS[config.last]())  # revealed: Fused() | Slow() | Slower()


# case: what-a-table-has-for-an-option-that-a-call-gives
import torch
from torch import Tensor, nn


class Fused(nn.Module):
    def forward(self, x: Tensor, count: int) -> Tensor:
        return x.cumsum(0)


class Slow(nn.Module):
    def forward(self, x: Tensor, count: int | Tensor) -> Tensor:
        return x[: int(count)]  # sync: SYN203


KINDS = {"fused": Fused, "slow": Slow}


class Block(nn.Module):
    def __init__(self, kind: str = "fused") -> None:
        super().__init__()
        self.part = KINDS[kind]()

    def forward(self, x: Tensor) -> Tensor:
        return self.part(x, x.sum().long())


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block("fused"), Block("slow")])

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = block(x)
        return x
