"""How two values join."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from synclint.analysis.domain.tensors import join_device, join_tensors
from synclint.analysis.domain.values import (
    STRING,
    UNKNOWN,
    Alternatives,
    Array,
    ClassValue,
    DeviceName,
    DType,
    DTypeName,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Value,
    options,
)

MOST_OPTIONS = 6
# A table of classes or functions to choose from may be longer.
MOST_CALLABLES = 16
_TO_CALL = frozenset({ClassValue, FunctionValue})


def _join_sequences(first: Sequence, second: Sequence) -> Sequence:
    kind = first.kind if first.kind == second.kind else "sequence"
    if first.items is not None and second.items is not None and len(first.items) == len(second.items):
        return Sequence(kind, tuple(map(join, first.items, second.items)))
    common = tuple(map(join, first.known, second.known))
    others = [item for one in (first, second) for item in one.known[len(common) :]]
    others += [one.element for one in (first, second) if one.items is None]
    return Sequence(kind, None, join_all(others), common)


def _join_mappings(first: Mapping, second: Mapping) -> Mapping:
    mine, yours = dict(first.entries), dict(second.entries)
    merged = {
        key: join(mine[key], yours[key]) if key in mine and key in yours else mine.get(key, yours.get(key, UNKNOWN))
        for key in [*mine, *(key for key in yours if key not in mine)]
    }
    return Mapping(tuple(merged.items()), join(first.element, second.element))


def _join_instances(first: Instance, second: Instance) -> Instance | None:
    if first.name != second.name or first.record is not second.record:
        return None
    mine, yours = dict(first.fields), dict(second.fields)
    return replace(first, fields=tuple((key, join(mine[key], yours[key])) for key in mine if key in yours))


def _join_scalars(first: Scalar, second: Scalar) -> Scalar:
    return Scalar(first.kind if first.kind == second.kind else "number")


def _join_texts(first: Text, second: Text) -> Text:
    return STRING


def _join_arrays(first: Array, second: Array) -> Array:
    return Array(first.dtype if first.dtype is second.dtype else DType.UNKNOWN)


def _join_device_names(first: DeviceName, second: DeviceName) -> DeviceName:
    return DeviceName(join_device(first.device, second.device))


def _join_dtype_names(first: DTypeName, second: DTypeName) -> DTypeName:
    return DTypeName()


# How two different values of one kind join; values of other kinds stay apart.
_JOINS: dict[type, Callable[[Any, Any], Value | None]] = {
    Tensor: join_tensors,
    Scalar: _join_scalars,
    Text: _join_texts,
    Sequence: _join_sequences,
    Mapping: _join_mappings,
    Array: _join_arrays,
    DeviceName: _join_device_names,
    DTypeName: _join_dtype_names,
    Instance: _join_instances,
}


def _join_single(first: Value, second: Value) -> Value | None:
    """The join of two values, none of them alternatives; None where they stay apart."""
    kind = type(first)
    if kind is not type(second):
        return None
    if first == second:
        return first
    joined = _JOINS.get(kind)
    return joined(first, second) if joined is not None else None


def join(first: Value, second: Value) -> Value:
    """A value that is one or the other; what is unknown on one side stays out, the known side is kept."""
    if first is second:
        return first
    if type(first) is not Alternatives and type(second) is not Alternatives:
        single = _join_single(first, second)
        return single if single is not None else Alternatives((first, second))
    if first == second:
        return first
    merged = list(options(first))
    for value in options(second):
        for index, known in enumerate(merged):
            combined = _join_single(known, value)
            if combined is not None:
                merged[index] = combined
                break
        else:
            merged.append(value)
    if len(merged) == 1:
        return merged[0]
    if len(merged) > (MOST_CALLABLES if all(type(value) in _TO_CALL for value in merged) else MOST_OPTIONS):
        return _common(merged)
    return Alternatives(tuple(merged))


def _common(values: list[Value]) -> Value:
    """What is known of one of very many values: objects are at least of the class from which all of theirs derive."""
    records = [value.record for value in values if isinstance(value, Instance) and value.record is not None]
    if len(records) < len(values):
        return UNKNOWN
    shared = set.intersection(*(set(record.ancestors) for record in records))
    nearest = next((ancestor for ancestor in records[0].ancestors if ancestor in shared), None)
    return Instance(nearest.qualified_name, nearest) if nearest is not None else UNKNOWN


def join_all(values: Iterable[Value]) -> Value:
    """A value that is one of several; unknown for none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result
