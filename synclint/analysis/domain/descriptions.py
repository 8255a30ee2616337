"""What messages say about values: "a boolean tensor on the device"."""

from __future__ import annotations

import ast

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.tensors import device_tensor_within, tensor_of
from synclint.analysis.domain.values import (
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
    Device.MODULE: " on the device",
    Device.UNKNOWN: "",
    Device.EITHER: " that may be on the CPU",
}

_NUMBERS = {"bool": "a Python boolean", "int": "a Python integer", "float": "a Python float"}
_OF_A_CLASS = "an instance of "
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
    of_classes = [one.removeprefix(_OF_A_CLASS) for one in said if one.startswith(_OF_A_CLASS)]
    others = [one for one in said if not one.startswith(_OF_A_CLASS)]
    return " or ".join([*others, *([f"{_OF_A_CLASS}{_listed(of_classes)}"] if of_classes else [])])


def says_on_device(said: str) -> bool:
    """Whether a description of a tensor tells that it is on the device, and not merely that it is one."""
    return said.endswith(_PLACE[Device.DEVICE])


def says_maybe_there(said: str) -> bool:
    """Whether a description of a tensor tells that it may be on the device already, and on the CPU as well."""
    return said.endswith(_PLACE[Device.EITHER])


def _listed(names: list[str]) -> str:
    """``Adam``, ``Adam or SGD``, ``Adam, AdamW or SGD``."""
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


# What a display or a comprehension makes, where the analysis kept no more of it than a tensor.
_DISPLAYS: dict[type[ast.AST], str] = {
    ast.Tuple: "a tuple",
    ast.List: "a list",
    ast.Set: "a set",
    ast.Dict: "a dictionary",
    ast.ListComp: "a list",
    ast.SetComp: "a set",
    ast.GeneratorExp: "a generator",
}


def describe_operand(node: ast.AST, value: Value) -> str:
    """The same of the operand that stands at a place, by its value or by the one in it that matters.

    What is written there literally speaks for itself, and so do ``super()`` and sizes that hold a tensor.
    """
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super":
        return ""
    if isinstance(node, (ast.Constant, ast.List, ast.Tuple)) and device_tensor_within(value) is None:
        return ""
    said = describe(value)
    display = _DISPLAYS.get(type(node))
    return f"{display} with {said} in it" if display is not None and isinstance(value, Tensor) else said


def _description(value: Value) -> str:
    if isinstance(value, Tensor):
        article, _, family = _FAMILY[value.dtype].partition(" ")
        kind = f"a 0-dim {family}" if value.ndim == 0 else f"{article} {family}"
        return f"{kind}{_PLACE[value.device]}"
    if isinstance(value, Sequence):
        kind = f"{'an' if value.kind == 'iterator' else 'a'} {value.kind}"
        if tensor_of(any_item(value)) is None:
            return kind
        is_all = all(isinstance(option, (Tensor, Nothing)) for option in options(any_item(value)))
        return f"{kind} of tensors" if is_all else f"{kind} with tensors in it"
    if isinstance(value, Scalar):
        return _NUMBERS.get(value.kind, "a Python number")
    if isinstance(value, Instance):
        return "" if value.name == "builtins.super" else f"{_OF_A_CLASS}{value.name.rsplit('.', 1)[-1]}"
    return _KINDS.get(type(value), "")
