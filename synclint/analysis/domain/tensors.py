"""The tensors that a value may be or hold, and how two tensors join."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    Alternatives,
    Device,
    DType,
    Instance,
    Mapping,
    Origin,
    Sequence,
    Tensor,
    Value,
    options,
)
from synclint.findings import Confidence

_OF_A_SUBCLASS = Tensor()


def weaker(first: Confidence, second: Confidence) -> Confidence:
    """The weaker of two confidences."""
    return first if first is second or first.rank <= second.rank else second


def tensors_in(value: Value) -> tuple[Tensor, ...]:
    """The tensors this value may itself be, not those it contains."""
    if isinstance(value, Tensor):
        return (value,)
    if isinstance(value, Alternatives):
        found = (option if type(option) is Tensor else as_tensor(option) for option in value.options)
        return tuple(option for option in found if isinstance(option, Tensor))
    return (_OF_A_SUBCLASS,) if as_tensor(value) is _OF_A_SUBCLASS else ()


def as_tensor(value: Value) -> Value:
    """The value itself; of an instance of a class that derives from ``torch.Tensor``, a tensor."""
    if type(value) is not Instance or value.record is None:
        return value
    return _OF_A_SUBCLASS if value.record.is_tensor else value


def tensor_of(value: Value) -> Tensor | None:
    """The tensor that this value is or may be: where it may be several, what all of them have in common."""
    if isinstance(value, Tensor):
        return value
    found = tensors_in(value)
    return reduce(join_tensors, found) if found else None


def device_tensor_of(value: Value) -> Tensor | None:
    """The tensor this value is or may be, if it may be on the device."""
    tensor = tensor_of(value)
    return tensor if tensor is not None and tensor.may_be_on_device else None


def device_tensor_within(value: Value, depth: int = DEEPEST_NESTING) -> Tensor | None:
    """A tensor that may be on the device: this value or, for containers, something in it."""
    if found := device_tensor_of(value):
        return found
    if depth:
        for option in options(value):
            for item in _held(option):
                if found := device_tensor_within(item, depth - 1):
                    return found
    return None


def _held(value: Value) -> Iterable[Value]:
    """What a container holds, one by one as far as its parts are told apart."""
    if isinstance(value, Sequence):
        return (*value.first, value.element) if value.items is None else value.items
    return (*(held for _, held in value.entries), value.element) if isinstance(value, Mapping) else ()


def join_device(first: Device, second: Device) -> Device:
    """Where data may be if it is in one place or the other."""
    if first is second:
        return first
    if Device.CPU in (first, second) or Device.EITHER in (first, second):
        return Device.EITHER
    return Device.UNKNOWN if Device.UNKNOWN in (first, second) else Device.DEVICE


def join_tensors(first: Tensor, second: Tensor) -> Tensor:
    """A tensor that is one of two."""
    if first == second:
        return first
    return Tensor(
        join_device(first.device, second.device),
        first.dtype if first.dtype is second.dtype else DType.UNKNOWN,
        first.ndim if first.ndim == second.ndim else None,
        weaker(first.trust, second.trust),
        first.pinned if first.pinned == second.pinned else None,
        first.origin if first.may_be_on_device or not second.may_be_on_device else second.origin,
        first.is_empty and second.is_empty,
    )


# `replace` of the standard library goes through all fields, and tensors are made anew more often than anything else.


def on_device(tensor: Tensor, device: Device) -> Tensor:
    """The tensor in another place."""
    return Tensor(device, tensor.dtype, tensor.ndim, tensor.trust, tensor.pinned, tensor.origin, tensor.is_empty)


def of_type(tensor: Tensor, dtype: DType) -> Tensor:
    """The tensor with elements of another type."""
    return Tensor(tensor.device, dtype, tensor.ndim, tensor.trust, tensor.pinned, tensor.origin, tensor.is_empty)


def with_rank(tensor: Tensor, ndim: int | None) -> Tensor:
    """The tensor with another number of dimensions, None where it is not known."""
    return Tensor(tensor.device, tensor.dtype, ndim, tensor.trust, tensor.pinned, tensor.origin, tensor.is_empty)


def from_origin(tensor: Tensor, origin: Origin) -> Tensor:
    """The tensor with another link of evidence."""
    return Tensor(tensor.device, tensor.dtype, tensor.ndim, tensor.trust, tensor.pinned, origin, tensor.is_empty)


def with_origin(value: Value, origin: Origin) -> Value:
    """The value with a link of evidence on each tensor that it may be or hold."""
    if isinstance(value, Tensor):
        return from_origin(value, origin)
    if isinstance(value, Alternatives):
        return Alternatives(tuple(with_origin(option, origin) for option in value.options))
    if isinstance(value, Sequence):
        if value.items is not None:
            placed = (with_origin(item, origin.of_item(at)) for at, item in enumerate(value.items))
            return replace(value, items=tuple(placed))
        first = tuple(with_origin(item, origin) for item in value.first)
        return replace(value, element=with_origin(value.element, origin), first=first)
    return value
