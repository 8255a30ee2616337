# case: class-around-the-one-of-its-configuration
from dataclasses import dataclass, replace

import torch


class Configurable:
    @dataclass
    class Config:
        _owner = None

        def build(self, **options):
            if self._owner is None:
                raise NotImplementedError
            return self._owner(config=replace(self), **options)

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "Config" in cls.__dict__:
            cls.Config._owner = cls


class Gate(torch.nn.Module, Configurable):
    @dataclass
    class Config(Configurable.Config):
        threshold: float = 0.5

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.threshold = config.threshold

    def open_for(self, scores: torch.Tensor) -> bool:
        return scores.max().item() > self.threshold  # sync: SYN201


class Layer(torch.nn.Module, Configurable):
    @dataclass
    class Config(Configurable.Config):
        gate: Gate.Config

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.gate = config.gate.build()
        reveal(self.gate)  # revealed: Gate()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if self.gate.open_for(x) else x


# case: what-builds-nothing-from-itself
from dataclasses import dataclass

import torch


class Reader:
    @dataclass
    class Config:
        path: str = "."

        def check(self):
            return self.verify(self.path)

        def build(self):
            return load(self)

    def __init__(self, config: Config) -> None:
        self.config = config


def use(config: Reader.Config) -> None:
    reveal(config)  # revealed: Config()
    reveal(config.check())  # revealed: unknown
    reveal(config.build())  # revealed: unknown


# case: constructor-that-takes-no-configuration
from dataclasses import dataclass


class Reader:
    @dataclass
    class Config:
        path: str = "."

        def build(self):
            return self.factory(config=self)

    def __init__(self, path: str) -> None:
        self.path = path


def use(config: Reader.Config) -> None:
    reveal(config.build())  # revealed: unknown


# case: target-that-each-configuration-names
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Type

import torch


@dataclass
class Configuration:
    _target: Type

    def setup(self, **options):
        return self._target(self, **options)


@dataclass
class FieldConfiguration(Configuration):
    _target: Type = field(default_factory=lambda: Field)
    size: int = 8


@dataclass
class ModelConfiguration(Configuration):
    _target: Type = field(default_factory=lambda: Model)
    inner: FieldConfiguration = field(default_factory=FieldConfiguration)


class Field(torch.nn.Module):
    def __init__(self, config: FieldConfiguration) -> None:
        super().__init__()

    def density(self, points: torch.Tensor) -> torch.Tensor:
        if points.min() < 0:  # sync: SYN301
            return points.abs()
        return points


class Model(torch.nn.Module):
    def __init__(self, config: ModelConfiguration) -> None:
        super().__init__()
        self.field = config.inner.setup()
        reveal(self.field)  # revealed: Field()

    def forward(self, points: torch.Tensor) -> torch.Tensor:
        return self.field.density(points)


# case: objects-given-to-fields-that-say-too-little
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch


class Layer(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if x.sum() > 0 else x  # sync: SYN301


def finish(x: torch.Tensor) -> list:
    return x.tolist()  # sync: SYN202


@dataclass
class Plan:
    layers: list
    finish: Callable
    name: str
    other: Any


def plan() -> Plan:
    return Plan([Layer(), Layer()], finish, "one", 5)


def run(plan: Plan, x: torch.Tensor) -> list:
    reveal(plan.layers)  # revealed: list[*Layer() | unknown] | unknown
    reveal(plan.finish)  # revealed: def finish | unknown
    reveal(plan.other)  # revealed: unknown
    for layer in plan.layers:
        x = layer(x)
    return plan.finish(x)


# case: object-whose-class-leaves-the-call-to-subclasses
import torch


class Base(torch.nn.Module):
    def describe(self) -> str:
        return "base"


class Small(Base):
    def forward(self, x: torch.Tensor) -> list[int]:
        return x.tolist()  # sync: SYN202


class Large(Small):
    def forward(self, x: torch.Tensor) -> list[int]:
        return (x + 1).tolist()  # sync: SYN202


def use(model: Base, x: torch.Tensor) -> None:
    reveal(model(x))  # revealed: list[*list[*unknown] | number]


# case: objects-of-the-class-that-is-asked-for
from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass
class Packed:
    lengths: torch.Tensor


@dataclass
class Padded:
    mask: torch.Tensor


@dataclass
class Metadata:
    state: object


def pack(x: torch.Tensor) -> Metadata:
    return Metadata(state=Packed(torch.tensor([3])))


def pad(x: torch.Tensor) -> Metadata:
    return Metadata(state=Padded(x > 0))


def unpack(x: torch.Tensor, metadata: Metadata) -> torch.Tensor:
    reveal(metadata.state)  # revealed: Packed() | Padded() | unknown
    return _unpacked(x, metadata.state)


def _unpacked(x: torch.Tensor, state: Packed) -> torch.Tensor:
    reveal(state)  # revealed: Packed()
    return x[: state.lengths.item()]
