"""What messages say about values: "a boolean tensor on the device"."""

from __future__ import annotations

from synclint.analysis.values import (
    Array,
    Device,
    DType,
    Instance,
    Mapping,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Value,
    options,
    tensor_of,
)

_FAMILY = {
    DType.BOOL: "a boolean tensor",
    DType.INT: "an integer tensor",
    DType.FLOAT: "a tensor",
    DType.COMPLEX: "a complex tensor",
    DType.UNKNOWN: "a tensor",
}
_PLACE = {
    Device.CPU: " on the CPU",
    Device.DEVICE: " on the device",
    Device.UNKNOWN: "",
    Device.EITHER: " that may be on the CPU",
}

_NUMBERS = {"bool": "a Python boolean", "int": "a Python integer", "float": "a Python float"}
_KINDS: dict[type, str] = {
    Mapping: "a dictionary",
    Array: "a NumPy array",
    Text: "a string",
    Nothing: "None",
}


def describe(value: Value) -> str:
    """What a message says about a value: "a boolean tensor on the device", or nothing of what is not known."""
    said = dict.fromkeys(filter(None, map(_description, options(value))))
    if len(said) > 1:
        said.pop("None", None)  # what may be missing is meant to be the rest
    return " or ".join(said)


def _description(value: Value) -> str:
    if isinstance(value, Tensor):
        shape = " without dimensions" if value.ndim == 0 else ""
        return f"{_FAMILY[value.dtype]}{shape}{_PLACE[value.device]}"
    if isinstance(value, Sequence):
        kind = f"{'an' if value.kind == 'iterator' else 'a'} {value.kind}"
        return f"{kind} of tensors" if tensor_of(value.any_item) else kind
    if isinstance(value, Scalar):
        return _NUMBERS.get(value.kind, "a Python number")
    if isinstance(value, Instance):
        return "" if value.name == "builtins.super" else f"an instance of {value.name.rsplit('.', 1)[-1]}"
    return _KINDS.get(type(value), "")
