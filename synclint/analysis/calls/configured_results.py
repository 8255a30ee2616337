"""What the configuration says that functions return."""

from __future__ import annotations

from dataclasses import replace

from synclint.analysis.domain.tensors import tensor_of
from synclint.analysis.domain.values import Device, Tensor, Value
from synclint.analysis.objects import attributes
from synclint.analysis.program.patterns import named, without_marks
from synclint.analysis.state.frames import Frame


def as_configured(name: str, result: Value, frame: Frame) -> Value:
    """The result of a function, or what the configuration says that it gives."""
    gives, on_device = frame.engine.catalog.gives, frame.engine.patterns.device
    if not gives and not on_device:
        return result
    kind = gives.get(f"{without_marks(name)}()")
    if kind is not None:
        return attributes.instance_of_kind(kind)
    if not on_device or not named(name, on_device):
        return result
    tensor = tensor_of(result)
    return replace(tensor, device=Device.DEVICE) if tensor is not None else Tensor(Device.DEVICE)
