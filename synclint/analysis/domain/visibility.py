"""Which changes of a value can show in what comes of it: those for which what has read it is worth running again."""

from __future__ import annotations

from collections.abc import Hashable

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.values import (
    Alternatives,
    BoundMethod,
    ClassValue,
    DeviceName,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)

_DEEPEST = 3
_UNTOLD = (Unknown, Nothing)
_ON_HOST = (Scalar, Text)


def differ_visibly(first: Value | None, second: Value | None) -> bool:
    """Whether two values differ in more than the order of their options, and in what makes the host wait.

    That is which tensors, objects, functions and containers they may be, and whether anything is known of them at all.
    Among numbers and texts of one pace, and in whether they may be None or unknown besides, they may differ.
    """
    if first is second or first == second:
        return False
    if isinstance(first, Alternatives) and isinstance(second, Alternatives):
        if set(first.options) == set(second.options):
            return False
    return _visible(first) != _visible(second)


def _visible(value: Value | None, depth: int = _DEEPEST) -> frozenset[Hashable]:
    if value is None:
        return frozenset()
    found: set[Hashable] = set()
    for option in options(value):
        if isinstance(option, _UNTOLD):
            continue
        found.add("known")
        if not isinstance(option, _ON_HOST):
            found.add(_kind(option, depth))
        elif isinstance(option, Scalar) and option.pace is not None:
            found.add(option.pace)
    return frozenset(found)


def _kind(option: Value, depth: int) -> Hashable:
    if isinstance(option, Tensor):
        return Tensor, option.device, option.dtype, option.ndim == 0, option.trust
    if isinstance(option, (Sequence, Mapping)):
        return type(option), _visible(any_item(option), depth - 1) if depth else None
    if isinstance(option, Instance):  # of what a library makes, what it was given decides what it does
        return Instance, option.name, option.record is None and bool(option.fields)
    if isinstance(option, (BoundMethod, Symbol)):
        return type(option), option.name
    if isinstance(option, (FunctionValue, ClassValue)):
        return type(option), option.record
    if isinstance(option, DeviceName):
        return DeviceName, option.device
    return type(option).__name__


def differ_in_evidence(first: Value, second: Value) -> bool:
    """Whether two values that do not differ visibly are of other kinds, or their evidence is told in other words."""
    return first is not second and _evidence(first, _DEEPEST) != _evidence(second, _DEEPEST)


def _evidence(value: Value, depth: int) -> frozenset[Hashable]:
    found: set[Hashable] = set()
    for option in options(value):
        found.add(type(option).__name__)
        if isinstance(option, Tensor) and option.origin is not None:
            links = option.origin.chain()
            found.add(tuple((link.text, link.module, getattr(link.node, "lineno", 0)) for link in links))
        elif isinstance(option, (Sequence, Mapping)) and depth:
            found |= _evidence(any_item(option), depth - 1)
    return frozenset(found)
