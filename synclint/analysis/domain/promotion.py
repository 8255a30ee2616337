"""The element type and the place of what is computed from several values."""

from __future__ import annotations

from collections.abc import Iterable

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.values import Array, Device, DType, Instance, Scalar, Sequence, Tensor, Value, options


def place_of(tensors: Iterable[Tensor]) -> Device:
    """Where the result of an operation on these lives: a CPU scalar goes along with whatever the others are."""
    places = {tensor.device.in_use for tensor in tensors}
    if Device.DEVICE in places:
        return Device.DEVICE
    if Device.UNKNOWN in places or not places:
        return Device.UNKNOWN
    return Device.EITHER if Device.EITHER in places else Device.CPU


def device_beside(tensors: list[Tensor]) -> Device:
    """Where a tensor must be that is computed with together with others: only numbers may come from elsewhere."""
    on_cpu = [tensor for tensor in tensors if tensor.device is Device.CPU and tensor.ndim != 0]
    return Device.CPU if on_cpu and len(on_cpu) == len(tensors) else Device.UNKNOWN


def promote(families: Iterable[DType]) -> DType:
    """The element type of arithmetic between these."""
    known = set(families)
    for family in (DType.COMPLEX, DType.FLOAT):
        if family in known:
            return family
    if DType.UNKNOWN in known or not known:
        return DType.UNKNOWN
    return DType.INT if DType.INT in known else DType.BOOL


def family_of(value: Value) -> DType:
    """The family a value contributes to arithmetic."""
    for option in options(value):
        if isinstance(option, (Tensor, Array)):
            return option.dtype
        if isinstance(option, Scalar):
            return {"bool": DType.BOOL, "int": DType.INT, "float": DType.FLOAT}.get(option.kind, DType.UNKNOWN)
        if isinstance(option, Sequence):
            return family_of(any_item(option))
        if isinstance(option, Instance) and option.name == "range":
            return DType.INT
    return DType.UNKNOWN
