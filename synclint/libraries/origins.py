"""From which parameters of a function an operand comes, by the text of the function: an upper bound."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.libraries.conditions import FunctionNode, is_as_given

_MOST_STEPS = 200
_UPLOAD = "host-to-device-copy"
# What these tell of a tensor, the host knows.
_TOLD_BY_HOST = frozenset({"shape", "size", "dim", "ndim", "numel", "nelement", "dtype", "stride", "is_cuda"})
_DEVICE = "device"


def operands(node: ast.expr, subject: str, mechanism: str) -> list[ast.expr]:
    """What it depends on where a wait is: the ``subject`` that is read, or what tells the device that is copied to."""
    if mechanism == _UPLOAD and isinstance(node, ast.Call):
        devices = [one.value for one in node.keywords if one.arg == _DEVICE]
        if not devices and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
            devices = node.args
        return devices or [node]
    try:
        return [ast.copy_location(ast.parse(subject, mode="eval").body, node)]
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # a text that was cut, for one
        return [node]


def parameters_behind(function: FunctionNode, expressions: Iterable[ast.expr], place: ast.expr) -> frozenset[str]:
    """The parameters from which the names in expressions come, through assignments to names in the function.

    They stand at a ``place``: a parameter that has kept its value until there comes from nothing else.
    """
    given = function.args
    parameters = {
        one.arg
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        if one is not None
    }
    sources = values_of_names(function)
    waiting = [name for expression in expressions for name in _names(expression)]
    kept = {name for name in waiting if is_as_given(function, name, place)}
    found: set[str] = {*kept}
    waiting = [name for name in waiting if name not in kept]
    seen: set[str] = set()
    while waiting and len(seen) < _MOST_STEPS:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in parameters:
            found.add(name)
        for value in sources.get(name, ()):
            waiting += _names(value)
    return frozenset(found)


def values_of_names(function: FunctionNode) -> dict[str, list[ast.AST]]:
    """What is assigned to each name, or iterated over for it, in a function."""
    found: dict[str, list[ast.AST]] = {}

    def note(target: ast.AST, value: ast.AST) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                found.setdefault(node.id, []).append(value)

    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                note(target, node.value)
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            note(node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            note(node.target, node.iter)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            note(node.optional_vars, node.context_expr)
    return found


def _names(node: ast.AST) -> Iterator[str]:
    """The names in an expression whose values, or devices, are in what it gives."""
    if isinstance(node, ast.Attribute) and node.attr in _TOLD_BY_HOST:
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return
    if isinstance(node, ast.Name):
        yield node.id
    for inner in ast.iter_child_nodes(node):
        yield from _names(inner)
