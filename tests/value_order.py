"""Which of two abstract values says less than the other: the order that joining and widening must respect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from synclint.analysis.domain.callables import NAMED, classes_of
from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.paces import joined_pace
from synclint.analysis.domain.tensors import join_device
from synclint.analysis.domain.values import (
    ANYTHING,
    Array,
    BoundMethod,
    Breadth,
    Device,
    DeviceName,
    DType,
    DTypeName,
    Instance,
    Mapping,
    Never,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)


def leq(first: Value, second: Value) -> bool:
    """Whether whatever the first value may be, the second may be as well."""
    if first is second or isinstance(first, Never) or second == ANYTHING or first == second:
        return True
    return all(any(_leq_option(mine, yours) for yours in options(second)) for mine in options(first))


def _leq_device(first: Device, second: Device) -> bool:
    """Whether what is known of a place says as much as what is known of another."""
    return join_device(first, second) is second


def leq_tensors(first: Tensor, second: Tensor) -> bool:
    """Whether a tensor is as the second one says, which may say less."""
    return (
        _leq_device(first.device, second.device)
        and second.dtype in (first.dtype, DType.UNKNOWN)
        and second.ndim in (first.ndim, None)
        and second.trust.rank <= first.trust.rank
        and second.pinned in (first.pinned, None)
        and (first.is_empty or not second.is_empty)
    )


def _leq_pace(first: Scalar, second: Scalar) -> bool:
    """Whether the pace of the second takes in that of the first."""
    return first.pace == second.pace or joined_pace(first, second) == second.pace


def _leq_option(first: Value, second: Value) -> bool:
    if first == second:
        return True
    if isinstance(second, Unknown):
        breadth = first.breadth if isinstance(first, Unknown) else Breadth.OBJECTS if type(first) in NAMED else None
        return second.breadth is Breadth.EVERYTHING or (breadth is not None and breadth <= second.breadth)
    if isinstance(first, Instance) and isinstance(second, Instance) and second.shared:
        return classes_of(first).issuperset(second.shared)
    compared = _ORDERS.get(type(first)) if type(first) is type(second) else None
    return compared is not None and compared(first, second)


def _leq_sequences(first: Sequence, second: Sequence) -> bool:
    if second.kind not in (first.kind, "sequence"):
        return False
    if second.items is not None:
        is_as_long = first.items is not None and len(first.items) == len(second.items)
        return is_as_long and all(map(leq, first.known, second.items))
    if len(first.known) < len(second.first) or not all(map(leq, first.known, second.first)):
        return False
    others = (*first.known[len(second.first) :], *((first.element,) if first.items is None else ()))
    return all(leq(other, second.element) for other in others)


def _leq_mappings(first: Mapping, second: Mapping) -> bool:
    mine, yours = first.by_key, second.by_key
    return leq(first.element, second.element) and all(
        leq(mine.get(key, first.element), yours.get(key, second.element)) for key in mine.keys() | yours.keys()
    )


def _leq_instances(first: Instance, second: Instance) -> bool:
    if first.name != second.name or first.record is not second.record or first.shared or second.shared:
        return False
    mine = dict(first.fields)
    return all(key in mine and leq(mine[key], value) for key, value in second.fields)


def _leq_methods(first: BoundMethod, second: BoundMethod) -> bool:
    return (
        first.name == second.name
        and isinstance(join(first, second), BoundMethod)
        and leq(first.receiver, second.receiver)
    )


def _leq_scalars(first: Scalar, second: Scalar) -> bool:
    return second.literal is None and second.kind in (first.kind, "number") and _leq_pace(first, second)


def _leq_texts(first: Text, second: Text) -> bool:
    if second.literal is not None:
        return False
    return not second.usual or (bool(first.choices) and set(first.choices).issubset(second.usual))


def _leq_arrays(first: Array, second: Array) -> bool:
    return second.dtype in (first.dtype, DType.UNKNOWN) and second.ndim in (first.ndim, None)


def _leq_device_names(first: DeviceName, second: DeviceName) -> bool:
    return second.device is Device.DEVICE or _leq_device(first.device, second.device)


def _leq_dtype_names(first: DTypeName, second: DTypeName) -> bool:
    return second.dtype is DType.UNKNOWN


_ORDERS: dict[type, Callable[[Any, Any], bool]] = {
    Tensor: leq_tensors,
    Scalar: _leq_scalars,
    Text: _leq_texts,
    Sequence: _leq_sequences,
    Mapping: _leq_mappings,
    Array: _leq_arrays,
    DeviceName: _leq_device_names,
    DTypeName: _leq_dtype_names,
    Instance: _leq_instances,
    BoundMethod: _leq_methods,
}
