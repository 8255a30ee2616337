"""Expressions for devices: whether they can be written twice, and which devices they name."""

from __future__ import annotations

import ast

from synclint.fixes.blocks import reaching_value
from synclint.fixes.evidence import is_proved_tensor
from synclint.fixes.numbers import only_value
from synclint.fixes.place import Place


def is_plain(node: ast.expr) -> bool:
    """Whether evaluating an expression once more, or earlier, makes no difference: names, attributes, literals."""
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, ast.Attribute):
        return is_plain(node.value)
    return isinstance(node, ast.Subscript) and is_plain(node.value) and is_plain(node.slice)


def is_device(place: Place, node: ast.expr) -> bool:
    """Whether an expression is a device as far as is known: nothing but a device, or the name of one."""
    kinds = place.fact(node).kinds
    return bool(kinds) and kinds <= {"device", "text"}


def is_evident_device(place: Place, node: ast.expr) -> bool:
    """Whether an expression is certainly a device, or names one, and can be computed: what is passed may be a type."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.Attribute):
        return node.attr == "device" and is_proved_tensor(place, node.value)
    if isinstance(node, ast.Name):
        value = reaching_value(place.file, node)
        is_only = value is not None and value is only_value(place, node) and not isinstance(value, ast.Name)
        return is_only and is_evident_device(place, value)  # type: ignore[arg-type]
    return isinstance(node, ast.Call) and place.qualified(node.func) == "torch.device"


def is_named_otherwise(device: ast.expr) -> bool:
    """Whether the name of a device is written out, and is none of CUDA."""
    return isinstance(device, ast.Constant) and isinstance(device.value, str) and not device.value.startswith("cuda")
