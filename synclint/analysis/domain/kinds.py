"""One word for what a value is, as plain records tell it: to fixes, and to those who use libcst."""

from __future__ import annotations

from synclint.analysis.domain.tensors import as_tensor
from synclint.analysis.domain.values import (
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
    options,
)

_KINDS: dict[type, str] = {
    Tensor: "tensor",
    Nothing: "none",
    Text: "text",
    Array: "array",
    Sequence: "sequence",
    Mapping: "mapping",
    DeviceName: "device",
    DTypeName: "dtype",
    Symbol: "symbol",
    ProjectModule: "module",
    FunctionValue: "function",
    ClassValue: "class",
    Instance: "instance",
    BoundMethod: "method",
    Unknown: "unknown",
}


def kind_of(value: Value) -> str:
    """What a value is that is none of several; of a number its type: "bool", "int", "float", or "number" for any."""
    return value.kind if isinstance(value, Scalar) else _KINDS.get(type(value), "unknown")


def kinds_of(value: Value) -> frozenset[str]:
    """What a value may be."""
    return frozenset(kind_of(as_tensor(option)) for option in options(value) if not isinstance(option, Never))
