# case: module-list-in-a-loop
import torch.nn as nn
from torch import Tensor


class Gate(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x > 0


class Gates(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.gates = nn.ModuleList([Gate() for _ in range(count)])

    def forward(self, x: Tensor) -> Tensor:
        for gate in self.gates:
            if gate(x):  # sync: SYN301
                return x
        for index, gate in enumerate(self.gates):
            if self.gates[index](x):  # sync: SYN301
                return x
        first, *_ = self.gates[1:]
        return x * self.gates.training


# case: module-list-that-is-appended-to
import torch.nn as nn
from torch import Tensor


class Count(nn.Module):
    def forward(self, x: Tensor) -> int:
        return x.shape[0]


class Gate(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x > 0


class Gates(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.gates = nn.ModuleList()
        self.counts = nn.ModuleList()
        for _ in range(count):
            self.gates.append(Gate())
            self.counts.extend([Count()])

    def forward(self, x: Tensor) -> Tensor:
        if self.counts[-1](x):
            return x
        if self.gates[-1](x):  # sync: SYN301
            return x + 1
        return x


# case: module-dict
import torch.nn as nn
from torch import Tensor


class Count(nn.Module):
    def forward(self, x: Tensor) -> int:
        return x.shape[0]


class Gate(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x > 0


class Gates(nn.Module):
    def __init__(self, kinds: list[str]) -> None:
        super().__init__()
        self.known = nn.ModuleDict({"gate": Gate(), "count": Count()})
        self.made = nn.ModuleDict()
        for kind in kinds:
            self.made[kind] = Gate()

    def forward(self, x: Tensor, kind: str) -> Tensor:
        if self.known["count"](x):
            return x
        if self.known["gate"](x):  # sync: SYN301
            return x + 1
        if self.made[kind](x):  # sync: SYN301
            return x + 2
        for name, gate in self.made.items():
            if gate(x):  # sync: SYN301
                return x + len(name)
        return x


# case: module-dict-by-attribute
import torch.nn as nn
from torch import Tensor


class Count(nn.Module):
    def forward(self, x: Tensor) -> int:
        return x.shape[0]


class Gate(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x > 0


class Gates(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.parts = nn.ModuleDict(dict(count=Count(), gates=nn.ModuleList([Gate() for _ in range(count)])))

    def forward(self, x: Tensor) -> Tensor:
        if self.parts.count(x):
            return x
        for gate in self.parts.gates:
            if gate(x):  # sync: SYN301
                return x + len(self.parts.keys())
        return x


# case: sequential-by-position-and-of-a-dictionary
from collections import OrderedDict

import torch.nn as nn
from torch import Tensor


class Count(nn.Module):
    def forward(self, x: Tensor) -> int:
        return x.shape[0]


class Counts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = nn.Sequential(nn.Linear(3, 1), Count())
        self.named = nn.Sequential(OrderedDict(count=Count()))

    def forward(self, x: Tensor) -> Tensor:
        if self.steps[1](x):
            return x
        for step in self.named:
            x = step(x)
        if self.steps[0](x):  # sync: SYN301
            return x + 1
        return x


# case: parameters-of-a-container
import torch.nn as nn
from torch import Tensor


class Gates(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.gates = nn.ModuleList()
        for _ in range(count):
            self.gates.append(nn.Linear(3, 3))

    def largest(self) -> float:
        return max(p.abs().max().item() for p in self.gates.parameters())  # sync: SYN201


# case: containers-of-parameters
import torch
from torch import nn


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.by_name = nn.ParameterDict({"a": nn.Parameter(torch.empty(4, 4))})
        self.scales = nn.ParameterList([nn.Parameter(torch.empty(4))])

    def forward(self, x, name: str):
        if (self.by_name[name] > 0).any():  # sync: SYN301
            return x
        for scale in self.scales:
            x = x * scale.sum().item()  # sync: SYN201
        return x * float(self.scales[0].max()) * float(self.by_name["a"].sum())  # sync: SYN203


# case: containers-of-the-project
import torch
from torch import nn


class Protocol(nn.Module):
    def describe(self) -> str:
        return "protocol"


class OwnDict(nn.ModuleDict, Protocol):
    pass


class OwnList(nn.ModuleList, Protocol):
    pass


class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x if x.sum() > 0 else -x  # sync: SYN301


class Model(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.layers = OwnDict()
        for i in range(count):
            self.layers[str(i)] = Layer()
        self.more = OwnList([Layer()])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers.values():
            reveal(layer)  # revealed: Layer() | unknown
            x = layer(x)
        for layer in self.more:
            reveal(layer)  # revealed: Layer()
        return x


# case: container-that-holds-in-its-own-way
import torch
from torch import nn


class Registry(nn.ModuleDict):
    def __getitem__(self, name: str) -> str:
        return name


def use(registry: Registry) -> None:
    reveal(registry["a"])  # revealed: str 'a'


# case: container-that-goes-through-itself
import torch
from torch import nn


class Chain(nn.Sequential):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for module in self:
            reveal(module)  # revealed: unknown
            x = module(x)
        return x


# case: modules-that-are-added-to-a-container
import torch
from torch import nn


class Part(nn.Module):
    def forward(self, x):
        return x.mean(), x.argmax()


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList()
        for _ in range(3):
            self.parts += [Part()]
        self.more = self.parts + nn.ModuleList([Part()])

    def forward(self, x):
        total = 0.0
        for part in self.parts:
            loss, _ = part(x)
            total += loss
        for part in self.more:
            _, best = part(x)
            print(best.item())  # sync: SYN201
        return total / len(self.parts)


def train(model, optimizer):
    criterion = Parts().cuda()
    for _ in range(100):
        loss = criterion(model(torch.rand(3, 3, device="cuda")))
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: SYN201
