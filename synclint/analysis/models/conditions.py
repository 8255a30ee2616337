"""Whether the conditions of a catalogue entry hold for the arguments of a call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache

from synclint.analysis.domain.containers import any_item, has_no_elements
from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.tensors import device_tensor_of, device_tensor_within, tensor_of, tensors_in
from synclint.analysis.domain.values import (
    NOTHING,
    Array,
    BoundMethod,
    Device,
    DeviceName,
    DType,
    Instance,
    Never,
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
from synclint.analysis.domain.values import Mapping as Dictionary
from synclint.analysis.models.torch_results import device_named
from synclint.catalog.entries import Condition, Entry
from synclint.findings import Confidence

Arguments = Mapping[str, Value]


def holds(condition: Condition, arguments: Arguments, defaults: Mapping[str, str]) -> bool:
    """Whether one clause is true; a value of which nothing is known makes none true but ``given``."""
    value = argument_value(condition.argument, arguments)
    predicate = condition.predicate
    if predicate == "given":
        return value is not None and not isinstance(value, Nothing)
    if predicate == "absent":
        return value is None or isinstance(value, Nothing)
    if predicate == "is":
        is_left_open = value is None and _is_construction_unknown(condition, arguments)
        return _equals(condition, value, defaults) is True and not is_left_open
    if predicate == "not":
        return _equals(condition, value, defaults) is False
    if predicate in ("is-a", "not-a"):
        kind = str(_literal(condition.value or ""))
        is_one = value is not None and any(isinstance(o, Instance) and o.is_of(kind) for o in options(value))
        return is_one is (predicate == "is-a")
    return value is not None and _PREDICATES[predicate](value)


def _is_construction_unknown(condition: Condition, arguments: Arguments) -> bool:
    """Whether a clause asks how an object was constructed of which that is not known."""
    return "." in condition.argument and arguments.get(condition.argument.partition(".")[0]) is not None


def argument_value(name: str, arguments: Arguments) -> Value | None:
    """The argument of a call, or for ``a.b`` what the object ``a`` was constructed with, and so on."""
    root, *fields = name.split(".")
    value = arguments.get(root)
    for field in fields:
        if value is None:
            return None
        made = next((option for option in options(value) if isinstance(option, (Instance, Dictionary))), None)
        value = _held(made, field) if made is not None else None
    return value


def _held(made: Instance | Dictionary, field: str) -> Value | None:
    """What an object was constructed with under a name, or what a dictionary holds there."""
    if isinstance(made, Instance):
        return made.given(field)
    return made.by_key.get(field, None if isinstance(made.element, Never) else made.element)


def deciding_tensor(entry: Entry, arguments: Arguments, defaults: Mapping[str, str]) -> Tensor | None:
    """The tensor that makes the host wait in this call, None if the host does not wait.

    An entry whose conditions name no tensor is decided by a tensor of no particular properties.
    """
    for group in entry.when or ((),):
        if all(holds(condition, arguments, defaults) for condition in group):
            return _tensor_behind(group, entry, arguments)
    return None


def _tensor_behind(group: tuple[Condition, ...], entry: Entry, arguments: Arguments) -> Tensor:
    for condition in group:
        if condition.predicate in ("device", "contains", "mask", "integer", "complex", "cpu", "cpu-scalar", "tensor"):
            value = argument_value(condition.argument, arguments)
            if value is None:
                continue
            found = device_tensor_within(value) or tensor_of(value)
            if found is not None:
                return found
        if condition.predicate == "held":
            return Tensor(Device.MODULE, trust=Confidence.MEDIUM)
        if condition.predicate in ("host", "no-tensor"):
            value = argument_value(condition.argument, arguments)
            if value is not None and _may_be_more_than_data(value, condition.predicate):
                return Tensor(Device.DEVICE, trust=Confidence.MEDIUM)
    subject = arguments.get(entry.subject)
    if any(condition.predicate == "untold" and condition.argument == entry.subject for condition in group):
        return Tensor(trust=Confidence.MEDIUM)
    return (tensor_of(subject) if subject is not None else None) or Tensor(Device.DEVICE)


@cache
def _literal(text: str) -> object:
    """What a literal in the tables says; the text itself where it is no literal."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def literal_value(text: str) -> Value | None:
    """The abstract value of a literal in the tables, None for what is no number, string or None."""
    literal = _literal(text)
    if literal is None:
        return NOTHING
    if isinstance(literal, (bool, int, float)):
        return Scalar(type(literal).__name__, literal)
    return Text(literal) if isinstance(literal, str) and literal != text else None


def _equals(condition: Condition, value: Value | None, defaults: Mapping[str, str]) -> bool | None:
    """Whether an argument equals the clause's literal; None where that is not known."""
    wanted = _literal(condition.value or "None")
    if value is None:
        default = defaults.get(condition.argument)
        return _literal(default) == wanted if default is not None else wanted is None
    # A caller's own parameter that is None unless it is given is handed on as None as a rule.
    if all(isinstance(option, (Nothing, Unknown)) for option in options(value)) and not isinstance(value, Unknown):
        return wanted is None
    if isinstance(value, (Scalar, Text)):
        return None if value.literal is None else bool(value.literal == wanted)
    return None if isinstance(value, Unknown) or len(options(value)) > 1 else False


def _is_host(value: Value) -> bool:
    """Whether a value is data on the host, or is that as well as a tensor: what has to be made a tensor may be both."""
    known = [option for option in options(value) if not isinstance(option, (Unknown, Nothing, Tensor))]
    return bool(known) and all(
        isinstance(option, (Scalar, Text, Array))
        or (isinstance(option, Instance) and option.name in ("range",))
        or (isinstance(option, Sequence) and device_tensor_within(option) is None and _holds_host_data(option))
        for option in known
    )


def _is_no_tensor(value: Value) -> bool:
    if tensor_of(value) is not None:
        return _is_host(value)
    return device_tensor_within(value) is None and not has_no_elements(value)


def _may_be_more_than_data(value: Value, predicate: str) -> bool:
    """Whether what counts as data may be a tensor as well."""
    is_unknown = predicate in ("host", "no-tensor") and any(isinstance(option, Unknown) for option in options(value))
    return is_unknown or tensor_of(value) is not None


def _holds_host_data(value: Sequence) -> bool:
    return not has_no_elements(value) and all(not isinstance(option, Tensor) for option in options(any_item(value)))


def _has(value: Value, family: DType) -> bool:
    held = [any_item(option) for option in options(value) if isinstance(option, Sequence)]
    return any(
        tensor.dtype is family and tensor.may_be_on_device for part in (value, *held) for tensor in tensors_in(part)
    )


def _is_cpu(value: Value) -> bool:
    held = [any_item(option) for option in options(value) if isinstance(option, Sequence) and option.items != ()]
    tensors = [tensor for part in (value, *held) for tensor in tensors_in(part)]
    return bool(tensors) and all(tensor.device is Device.CPU for tensor in tensors)


def _is_cpu_scalar(value: Value) -> bool:
    return _is_cpu(value) and all(tensor.ndim == 0 for tensor in tensors_in(value))


def _contains(value: Value) -> bool:
    return any(
        isinstance(option, (Sequence,)) and device_tensor_within(option) is not None for option in options(value)
    )


def _is_accelerator(value: Value) -> bool:
    if isinstance(value, Nothing):
        return False
    if isinstance(value, (DeviceName, Text, Scalar, *_UNTOLD)):
        return device_named(value) is not Device.CPU and device_named(value) is not None
    return any(isinstance(option, _NAMING_DEVICES) and _is_accelerator(option) for option in options(value))


# What stands for a device without saying which: settings that are not at hand, and their attributes.
_UNTOLD = (Unknown, Symbol, BoundMethod)
_NAMING_DEVICES = (DeviceName, Text, *_UNTOLD)


_PREDICATES: dict[str, Callable[[Value], bool]] = {
    "device": lambda value: device_tensor_within(value) is not None,
    "cpu": _is_cpu,
    "cpu-scalar": _is_cpu_scalar,
    "held": lambda value: (tensor := tensor_of(value)) is not None and tensor.device is Device.MODULE,
    "tensor": lambda value: tensor_of(value) is not None,
    "number": lambda value: isinstance(value, Scalar),
    "host": _is_host,
    "contains": _contains,
    "mask": lambda value: _has(value, DType.BOOL),
    "integer": lambda value: _has(value, DType.INT),
    "complex": lambda value: _has(value, DType.COMPLEX),
    "not-scalar": lambda value: (tensor := device_tensor_of(value)) is not None and tensor.ndim != 0,
    "matrix": lambda value: (tensor := device_tensor_of(value)) is not None and tensor.ndim == 2,
    "accelerator": _is_accelerator,
    "no-tensor": _is_no_tensor,
    "known": lambda value: not all(isinstance(option, (Unknown, Nothing)) for option in options(value)),
    "unsettled": lambda value: truth(value) is None,
    "untold": lambda value: isinstance(value, _UNTOLD),
}
