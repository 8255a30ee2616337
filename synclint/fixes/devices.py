"""Expressions for devices: whether they can be written twice, and how to ask whether they are CUDA devices."""

from __future__ import annotations

import ast

from synclint.fixes.place import NoFixError, Place
from synclint.fixes.uses import bindings


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


def asks_for_cuda(place: Place, device: ast.expr) -> str:
    """An expression that is true where a device is one of CUDA, so that memory for copies to it can be pinned.

    Raises NoFixError where the device cannot be written twice.
    """
    if isinstance(device, ast.Constant) and isinstance(device.value, str):
        if not device.value.startswith("cuda"):
            raise NoFixError
        return "True"
    if not is_plain(device):
        raise NoFixError
    if isinstance(device, ast.Name) and _is_annotated(place, device):
        return f'{device.id}.type == "cuda"'
    if isinstance(device, ast.Attribute) and device.attr == "device":
        if place.fact(device.value).is_certain:
            return f"{place.text(device.value)}.is_cuda"
        if "tensor" in place.fact(device.value).kinds:
            return f'{place.text(device.value)}.device.type == "cuda"'
    return f'{place.name("torch.device")}({place.text(device)}).type == "cuda"'


def _is_annotated(place: Place, name: ast.Name) -> bool:
    """Whether a name is a parameter that is said to be a ``torch.device``, and is bound to nothing else."""
    scope = place.file.function_of(name)
    found = bindings(scope, name.id) if scope is not None else []
    parameter = found[0] if len(found) == 1 else None
    if not isinstance(parameter, ast.arg) or parameter.annotation is None:
        return False
    return place.qualified(parameter.annotation) == "torch.device"
