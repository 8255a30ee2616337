"""Classes of the project: their bases, their attributes, and what their instances hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synclint.analysis.attributes import instance_of_kind
from synclint.analysis.frames import Arguments, Frame
from synclint.analysis.modules import ClassRecord, FunctionRecord
from synclint.analysis.values import (
    BOOLEAN,
    NOTHING,
    UNKNOWN,
    BoundMethod,
    ClassValue,
    Device,
    DeviceName,
    DTypeName,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    Sequence,
    Symbol,
    Tensor,
    Unknown,
    Value,
    is_known,
    join,
    join_all,
)

if TYPE_CHECKING:
    from synclint.analysis.engine import Engine

MODULE = "torch.nn.Module"
METRIC = "torchmetrics.Metric"
OPTIMIZER = "torch.optim.Optimizer"


def external_bases(engine: Engine, record: ClassRecord) -> Iterator[str]:
    """The qualified names of all bases outside the project, those of library classes in the catalogue included."""
    for current in record.ancestors:
        for base in current.bases:
            if isinstance(base, Symbol):
                yield from library_bases(engine, base.name)


def library_bases(engine: Engine, name: str) -> Iterator[str]:
    """A class outside the project and what is known of its bases."""
    name = engine.api.canonical(name)
    model = engine.catalog.classes.get(name)
    yield model.name if model is not None else name
    known = engine.api.class_(name)
    if known is not None:
        yield from known.bases
    if model is not None:
        for base in model.bases:
            yield from library_bases(engine, base)


def is_a(engine: Engine, record: ClassRecord, *names: str) -> bool:
    """Whether a class of the project derives from one of these outside classes."""
    return any(base in names for base in external_bases(engine, record))


def is_module(engine: Engine, record: ClassRecord) -> bool:
    """Whether a class is a ``torch.nn.Module`` of some kind."""
    return any(
        base == MODULE or base.startswith("torch.nn.") or base.rpartition(".")[2].endswith("Module")
        for base in external_bases(engine, record)
    )


def find_method(record: ClassRecord, name: str) -> FunctionRecord | None:
    """The method of this name, inherited ones of the project included."""
    for current in record.ancestors:
        if name in current.methods:
            return current.methods[name]
    return None


def class_attribute(engine: Engine, record: ClassRecord, name: str) -> Value:
    """What ``Class.name`` is."""
    method = find_method(record, name)
    if method is not None:
        return FunctionValue(method, ClassValue(record) if method.is_class_method else None)
    for current in record.ancestors:
        if name in current.scope:
            value = current.scope[name]
            return engine.resolve(value.name) if isinstance(value, Symbol) else value
    return UNKNOWN


def instance_attribute(engine: Engine, instance: Instance, name: str, frame: Frame, node: ast.AST) -> Value | None:
    """What reading an attribute of an instance gives, None where nothing is known of it."""
    if instance.name == "builtins.super":
        return _super_attribute(engine, instance, name, frame, node)
    record = instance.record
    if record is None:
        return _library_attribute(engine, instance, name)
    if (given := instance.given(name)) is not None:
        return given
    method = find_method(record, name)
    if method is not None:
        bound = FunctionValue(method, None if method.is_static else instance)
        if method.is_property:
            return engine.call(bound, Arguments(), frame, node)
        if method.is_class_method:
            return FunctionValue(method, ClassValue(record))
        return bound
    assigned = assigned_attribute(engine, record, name)
    if assigned is not None:
        return assigned
    for current in record.ancestors:
        if name in current.scope:
            return current.scope[name]
        if name in current.annotations:
            return engine.annotation(current.annotations[name], current)
    for base in external_bases(engine, record):
        found = library_attribute(engine, base, name)
        if found is not None:
            return found
    return _conventional(engine, record, name)


def _conventional(engine: Engine, record: ClassRecord, name: str) -> Value | None:
    """What an attribute is by its name, where the class says nothing of it."""
    if name in ("device", "_device"):
        return DeviceName()
    if name == "dtype":
        return DTypeName()
    if name == "training" and is_module(engine, record):
        return BOOLEAN
    for subclass in record.subclasses[:4]:
        found = assigned_attribute(engine, subclass, name)
        if found is not None:
            return found
    return None


def constructor(record: ClassRecord) -> tuple[FunctionRecord, ...]:
    """The constructor that a class has of its own: it may set attributes by ways that do not show."""
    method = record.methods.get("__init__")
    return () if method is None else (method,)


def assigned_attribute(engine: Engine, record: ClassRecord, name: str) -> Value | None:
    """The join of everything that methods assign to an attribute; the methods run first if they have not."""
    values: list[Value] = []
    for current in record.ancestors:
        if name not in current.resolved:
            current.resolved.add(name)
            for method in current.assigners.get(name) or constructor(current):
                engine.enter(method)
        if name in current.attributes:
            values.append(current.attributes[name])
    if record.attributes.get(name) is not None and record.attributes[name] not in values:
        values.append(record.attributes[name])
    if not values:
        return None
    if not any(name in method.assigns_to_receiver for current in record.ancestors for method in constructor(current)):
        values += _given_by_class(engine, record, name)
    value = join_all(values)
    declared = next((c.annotations[name] for c in record.ancestors if name in c.annotations), None)
    if declared is not None:
        said = engine.annotation(declared, record)
        if is_known(said) and (
            isinstance(value, (Unknown, Nothing)) or (isinstance(said, Tensor) and not isinstance(value, Tensor))
        ):
            return said
    return join(NOTHING, UNKNOWN) if isinstance(value, Nothing) else value


def _given_by_class(engine: Engine, record: ClassRecord, name: str) -> Iterator[Value]:
    """What an attribute is before anything is assigned to it: what the class's body says."""
    for current in record.ancestors:
        if name in current.scope:
            yield current.scope[name]
        if name in current.annotations:
            said = engine.annotation(current.annotations[name], current)
            if is_known(said) and not isinstance(said, Tensor):  # of which what is assigned tells more
                yield said
        if name in current.scope or name in current.annotations:
            return


def _super_attribute(engine: Engine, instance: Instance, name: str, frame: Frame, node: ast.AST) -> Value | None:
    owner = instance.given("class")
    receiver = instance.given("self")
    if not isinstance(owner, ClassValue) or receiver is None:
        return None
    for base in owner.record.bases:
        if isinstance(base, ClassValue):
            method = find_method(base.record, name)
            if method is not None:
                bound = FunctionValue(method, receiver)
                if method.is_property:
                    return engine.call(bound, Arguments(), frame, node)
                return bound
    return BoundMethod(receiver, name)


def _library_attribute(engine: Engine, instance: Instance, name: str) -> Value | None:
    for base in library_bases(engine, instance.name):
        found = library_attribute(engine, base, name)
        if found is not None:
            return found
    if name in ("device", "_device"):
        return DeviceName()
    return None


# What the annotations in ``torch/optim/optimizer.py`` leave open, and every optimizer keeps.
_OF_OPTIMIZERS: dict[str, Value] = {
    "param_groups": Sequence("list", None, Mapping((("params", Sequence("list", None, Tensor())),))),
    "state": Mapping((), Mapping()),
}


def library_attribute(engine: Engine, base: str, name: str) -> Value | None:
    """What an attribute of an instance of an outside class is."""
    model = engine.catalog.classes.get(base)
    if model is not None and name in model.attributes:
        return _on_device(instance_of_kind(model.attributes[name]))
    if name in _OF_OPTIMIZERS and OPTIMIZER in library_bases(engine, base):
        return _OF_OPTIMIZERS[name]
    kind = engine.api.class_attribute(base, name)
    if kind is not None:
        return _on_device(instance_of_kind(kind))
    if base == METRIC and name == "device":
        return DeviceName(Device.DEVICE)
    return None


def _on_device(value: Value) -> Value:
    return Tensor(Device.UNKNOWN) if isinstance(value, Tensor) else value
