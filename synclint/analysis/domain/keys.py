"""Keys of values: texts that are equal for equal values, in every process and for every tree of one source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synclint.analysis.domain.values import (
    Alternatives,
    Array,
    BoundMethod,
    ClassValue,
    DeviceName,
    DTypeName,
    FunctionValue,
    Instance,
    Mapping,
    Never,
    Nothing,
    ProjectModule,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

# The order of kinds among alternatives. Tensors come first: where one value has to stand for all, it is the one asked.
RANKS: dict[type, int] = {
    kind: rank
    for rank, kind in enumerate(
        (
            Tensor, Array, Sequence, Mapping, Scalar, Text, DeviceName, DTypeName, Instance, ClassValue, FunctionValue,
            BoundMethod, Symbol, ProjectModule, Nothing, Unknown, Never, Alternatives,
        )
    )
}  # fmt: skip


def key_of(value: Value) -> str:
    """The key of a value; where a tensor comes from has no part in it, nor has the scope of a nested function."""
    return f"{type(value).__name__}({','.join(_parts(value))})"


def _parts(value: Value) -> Iterable[str]:
    if isinstance(value, Instance):
        record = value.record.key if value.record is not None else ""
        given = (f"{key!r}:{key_of(held)}" for key, held in value.fields)
        return record, repr(value.name), *given, *(shared.key for shared in value.shared)
    if isinstance(value, (Symbol, ProjectModule)):
        return (repr(value.name),)
    if isinstance(value, Tensor):
        return (
            value.device.value, value.dtype.value, repr(value.ndim), value.trust.value, repr(value.pinned),
            repr(value.is_empty),
        )  # fmt: skip
    if isinstance(value, Array):
        return value.dtype.value, repr(value.ndim)
    if isinstance(value, Sequence):
        if value.items is not None:
            return repr(value.kind), "=", *map(key_of, value.items)
        return repr(value.kind), ">", *map(key_of, value.first), key_of(value.element)
    if isinstance(value, Mapping):
        return *(f"{key!r}:{key_of(held)}" for key, held in value.entries), key_of(value.element)
    if isinstance(value, Scalar):
        return value.kind, repr(value.literal), *(value.pace or ())
    if isinstance(value, Text):
        return "text", repr(value.literal), *map(repr, value.usual)
    if isinstance(value, ClassValue):
        return (value.record.key,)
    if isinstance(value, FunctionValue):
        return value.record.key, key_of(value.receiver) if value.receiver is not None else ""
    if isinstance(value, BoundMethod):
        return repr(value.name), key_of(value.receiver)
    if isinstance(value, DeviceName):
        return value.device.value, repr(value.is_named)
    if isinstance(value, DTypeName):
        return (value.dtype.value,)
    if isinstance(value, Unknown):
        return (value.breadth.name,)
    if isinstance(value, Alternatives):
        return map(key_of, value.options)
    return ()
