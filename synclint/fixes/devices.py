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
    """Whether an expression is a device: by what was concluded, or else by its name."""
    kinds = place.fact(node).kinds
    if kinds <= {"device", "text"}:
        return True
    if kinds & {"tensor", "dtype"}:
        return False
    node = node.func if isinstance(node, ast.Call) else node
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return "dev" in name.lower()


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
    if isinstance(device, ast.Name) and _is_made(place, device):
        return f'{device.id}.type == "cuda"'
    return None


def _is_made(place: Place, name: ast.Name) -> bool:
    """Whether a name is given a ``torch.device`` and nothing else: one that is made, or that of a tensor."""
    value = only_value(place, name)
    if isinstance(value, ast.Call):
        return place.qualified(value.func) == "torch.device"
    return isinstance(value, ast.Attribute) and value.attr == "device" and is_proved_tensor(place, value.value)
