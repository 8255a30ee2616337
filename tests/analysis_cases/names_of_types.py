# case: alias-that-is-annotated-as-one
from typing import Any

import torch
from typing_extensions import TypeAlias

Group: TypeAlias = dict[str, Any]
Gradients: TypeAlias = list[torch.Tensor]


def clipped(grads: Gradients, group: Group) -> None:
    for grad in grads:
        if grad.sum() > 1:  # sync: SYN301
            print("large")
    torch._foreach_add_(grads, group["eps"])
    if group["weight_decay"] != 0:
        torch._foreach_mul_(grads, group["weight_decay"])


# case: variable-of-a-type-with-a-bound
from typing import Generic, List, TypeVar

import torch
from torch import Tensor

Bounded = TypeVar("Bounded", bound=Tensor)
Quoted = TypeVar("Quoted", bound="torch.Tensor")
Either = TypeVar("Either", Tensor, List[Tensor])
Count = TypeVar("Count", bound=int)
Free = TypeVar("Free")


def bounded(x: Bounded) -> Bounded:
    return x if x.sum() > 0 else -x  # sync: SYN301


def quoted(x: Quoted) -> Quoted:
    return x if x.sum() > 0 else -x  # sync: SYN301


def constrained(x: Either) -> Either:
    return x if x.sum() > 0 else -x  # sync: SYN301


def counted(x: Count) -> Count:
    return x if x > 0 else -x


def free(x: Free) -> Free:
    return x if x > 0 else -x


# case: type-made-of-another
from typing import NewType

import torch

Loss = NewType("Loss", torch.Tensor)
Step = NewType("Step", int)


def falling(loss: Loss, step: Step) -> bool:
    if step > 3:
        return False
    return bool(loss < 3)  # sync: SYN203


# case: class-of-the-receiver
from typing import Iterable, TypeVar

import torch
from typing_extensions import Self

Own = TypeVar("Own")


class Metric:
    def __init__(self):
        self.total = torch.zeros(1, device="cuda")
        self.count = 0

    def merged(self: Own, others: Iterable[Own]) -> Own:
        for other in others:
            if other.total > 0:  # sync: SYN301
                self.total += other.total
            if other.count > 0:
                self.count += other.count
        return self

    def least(self, others: Iterable[Self]) -> Self:
        return min(others, key=lambda other: other.total.item())  # sync: SYN201

    @classmethod
    def taken(cls: type[Own], other: Own) -> Own:
        print(other.total)  # sync: SYN205
        print(other.count)
        return other


# case: base-class-that-annotates-the-receiver
import torch


class Base:
    def __init__(self):
        self.total = 0


class Metric(Base):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros(1, device="cuda")

    def larger(self: Base, other: Base) -> bool:
        return other.total > 0


# case: states-of-another-object-of-the-class
from typing import Iterable, TypeVar

import torch
from torch import Tensor

Own = TypeVar("Own", bound="Metric")


class Metric:
    def __init__(self, device: torch.device | None = None):
        self.device = torch.device("cpu") if device is None else device
        self.inputs: list[Tensor] = []
        self.total = torch.zeros(1, device=self.device)

    def update(self, x: Tensor) -> None:
        self.inputs.append(x.to(self.device))  # sync: SYN204
        self.total += x.sum()

    def merge(self: Own, others: Iterable[Own], extra: Tensor) -> None:
        for other in others:
            self.total += other.total.to(self.device)
            self.inputs.append(torch.cat(other.inputs).to(self.device))
        self.inputs.append(extra.relu().to(self.device))  # sync: SYN204


# case: lists-have-no-keys
import torch


def scaled(grads: list[torch.Tensor], group: dict) -> None:
    torch._foreach_add_(grads, group["eps"])


def any_of_them(grads: list[torch.Tensor], key: str) -> None:
    print(grads[key] > 3)
    if grads["eps"] > 3:
        print("an option")
    if grads[0].sum() > 3:  # sync: SYN301
        print("a gradient")


def called(grads: list[torch.Tensor]) -> None:
    scaled(grads, grads)
