"""Whether tensors are on one device, by what they were computed from: operands of one operation have to be together."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from synclint.fixes.place import Place
from synclint.fixes.uses import bindings

# What is computed by these need not be where its operands are.
_MOVING = frozenset({"to", "cpu", "cuda", "numpy", "tolist", "item", "pin_memory"})
_MOST_STEPS = 50


def are_together(place: Place, tensors: Sequence[ast.expr]) -> bool:
    """Whether all of some tensors were computed from one that they share, without having been moved on the way."""
    shared: set[str] | None = None
    for tensor in tensors:
        sources = _sources(place, tensor)
        shared = sources if shared is None else shared & sources
    return bool(shared)


def _sources(place: Place, tensor: ast.expr) -> set[str]:
    """The names of tensors that an expression was computed from, by assignments that are the only ones of a name."""
    scope = place.function or place.file.tree
    found: set[str] = set()
    waiting: list[ast.expr] = [tensor]
    for _ in range(_MOST_STEPS):
        if not waiting:
            break
        node = waiting.pop()
        if _moves(node):
            made_on = _device_of_creation(place, node)
            if made_on is not None:
                found.add(f"device={made_on}")
            continue
        for name in {n.id: n for n in ast.walk(node) if isinstance(n, ast.Name)}.values():
            if name.id in found or not place.fact(name).is_tensor or place.fact(name).device == "cpu":
                continue
            bound = bindings(scope, name.id)
            if len(bound) != 1:
                continue
            found.add(name.id)
            assignment = place.file.statement_of(bound[0]) if isinstance(bound[0], ast.Name) else None
            if isinstance(assignment, ast.Assign) and assignment.targets[0] is bound[0]:
                waiting.append(assignment.value)
    return found


def _device_of_creation(place: Place, node: ast.expr) -> str | None:
    """The name of the device that a call of torch makes a tensor on, where that name has one meaning only."""
    if not isinstance(node, ast.Call) or not place.qualified(node.func).startswith("torch."):
        return None
    device = next((word.value for word in node.keywords if word.arg == "device"), None)
    scope = place.function or place.file.tree
    if not isinstance(device, ast.Name) or len(bindings(scope, device.id)) > 1:
        return None
    others = [argument for argument in (*node.args, *node.keywords) if _moves_within(argument)]
    return device.id if not others else None


def _moves_within(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.keyword) else node
    return any(isinstance(inner, ast.Attribute) and inner.attr in _MOVING for inner in ast.walk(value))


def _moves(node: ast.expr) -> bool:
    """Whether something in an expression is moved, or made on a device that is named."""
    return any(
        (isinstance(inner, ast.Attribute) and inner.attr in _MOVING)
        or (isinstance(inner, ast.keyword) and inner.arg in ("device", None))
        for inner in ast.walk(node)
    )
