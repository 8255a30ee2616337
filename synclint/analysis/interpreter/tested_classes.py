"""What is left of a value once it is known to be of some classes, or of none of them."""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import islice

from synclint.analysis.annotations.annotations import external
from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.selection import only, without
from synclint.analysis.domain.values import (
    UNKNOWN,
    Array,
    ClassValue,
    Device,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import operands, walk
from synclint.findings import Confidence

_MOST_NODES = 16


def is_small(node: ast.expr) -> bool:
    """Whether an expression may be evaluated once more: where such nest, the number of evaluations is a power."""
    if type(node) is ast.Name:
        return True
    return sum(1 for _ in islice(walk(node), _MOST_NODES + 1)) <= _MOST_NODES


_PLAIN_CLASSES: dict[str, Value] = {
    "builtins.int": Scalar("int"), "builtins.float": Scalar("float"), "builtins.bool": Scalar("bool"),
    "builtins.complex": Scalar("number"), "builtins.str": Text(), "builtins.bytes": Text(),
    "builtins.list": Sequence("list"), "builtins.tuple": Sequence("tuple"), "builtins.set": Sequence("set"),
    "builtins.dict": Mapping(), "builtins.slice": Instance("slice"),
}  # fmt: skip


def tested_classes(node: ast.expr, frame: Frame) -> list[Value]:
    """Example values of the classes in ``isinstance``'s second argument."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [value for element in node.elts for value in tested_classes(element, frame)]
    if isinstance(node, ast.Starred):
        return tested_classes(node.value, frame)
    if isinstance(node, ast.BinOp):
        return [value for element in operands(node) for value in tested_classes(element, frame)]
    target = frame.evaluate(node) if is_small(node) else UNKNOWN
    if isinstance(target, ClassValue):
        return [instance_of(target.record)]
    if isinstance(target, Symbol):
        plain = _PLAIN_CLASSES.get(target.name)
        return [plain if plain is not None else _example(target.name)]
    if isinstance(target, Sequence) and target.items is not None:
        return [v for item in target.items if isinstance(item, Symbol) for v in [external(item.name)]]
    return [UNKNOWN]


def _example(name: str) -> Value:
    """A value of an outside class; one of a subclass of Tensor differs from other tensors."""
    value = external(name)
    if isinstance(value, Tensor) and name.rpartition(".")[2] != "Tensor":
        return replace(value, device=Device.DEVICE)
    return value


def of_classes(value: Value, classes: list[Value]) -> Value:
    """What a value is that is of one of some classes, which examples stand for."""
    if Mapping() in classes and not any(isinstance(c, Sequence) for c in classes):
        value = join_all(map(_as_dictionary, options(value)))
    kinds = tuple({type(c) for c in classes})
    kept = only(value, kinds)
    if kept is not None and not isinstance(value, Unknown):
        if all(isinstance(option, Instance) for option in options(kept)):
            return kept if len(classes) > 1 else classes[0]
        return kept
    if any(isinstance(c, Unknown) for c in classes):
        return value
    if isinstance(value, Tensor) and value.trust is not Confidence.HIGH:
        # A part of a batch is a tensor as a rule; one that is a list of tensors is where the tensor would be.
        return join_all(replace(c, element=value) if c in _CONTAINERS else c for c in classes)
    return join_all(classes)


def _as_dictionary(option: Value) -> Value:
    """A batch that is asked whether it is a dictionary is one of its parts."""
    is_batch = isinstance(option, Sequence) and option.kind == "batch"
    return Mapping((), option.element) if isinstance(option, Sequence) and is_batch else option


_CONTAINERS = (Sequence("list"), Sequence("tuple"), Mapping())


def not_of_classes(value: Value, classes: list[Value]) -> Value:
    """What a value is that is of none of some classes, which examples stand for."""
    kinds = tuple({type(c) for c in classes if isinstance(c, (Text, Mapping, Array)) or c == Tensor()})
    sequences = {c.kind for c in classes if isinstance(c, Sequence)}
    numbers = {c.kind for c in classes if isinstance(c, Scalar)}
    is_no_number = "number" in numbers or {"int", "float"} <= numbers
    left = [
        option
        for option in options(value)
        if not (isinstance(option, Sequence) and option.kind in sequences)
        and not (isinstance(option, Scalar) and (is_no_number or option.kind in numbers))
    ]
    return without(join_all(left), kinds) if kinds or len(left) < len(options(value)) else value
