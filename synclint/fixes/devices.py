"""Expressions for devices: whether they can be written twice, and how to ask whether they are CUDA devices."""

from __future__ import annotations

import ast

from synclint.fixes.evidence import is_proved_tensor
from synclint.fixes.numbers import only_value
from synclint.fixes.place import NoFixError, Place


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
    """Whether an expression is a device, or names one, for certain: what is passed may be a tensor or a type.

    Arrays have a ``device``, too, which is a text.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.Attribute):
        return node.attr == "device" and place.fact(node.value).is_tensor
    value = only_value(place, node) if isinstance(node, ast.Name) else None
    if value is not None and not isinstance(value, ast.Name):
        return is_evident_device(place, value)
    return isinstance(node, ast.Call) and place.qualified(node.func) == "torch.device"


def asks_for_cuda(place: Place, device: ast.expr) -> str | None:
    """An expression that is true where a device is one of CUDA, so that memory for copies to it can be pinned.

    None where a device is not known to be one: what is passed for a parameter may be None, which is the default device,
    or a number. Raises NoFixError for a device that is another one.
    """
    if isinstance(device, ast.Constant) and isinstance(device.value, str):
        if not device.value.startswith("cuda"):
            raise NoFixError
        return "True"
    if isinstance(device, ast.Attribute) and device.attr == "device" and is_plain(device):
        return f"{place.text(device.value)}.is_cuda" if is_proved_tensor(place, device.value) else None
    value = only_value(place, device) if isinstance(device, ast.Name) else None
    if value is None:
        return None
    is_made = isinstance(value, ast.Call) and is_evident_device(place, value)
    is_of_tensor = isinstance(value, ast.Attribute) and value.attr == "device" and is_proved_tensor(place, value.value)
    return f'{place.text(device)}.type == "cuda"' if is_made or is_of_tensor else None
