"""From which parameters of a function an operand comes, by the text of the function: an upper bound."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from synclint.libraries.default_paths import FunctionNode

_MOST_STEPS = 200


def parameters_behind(function: FunctionNode, expression: ast.AST) -> frozenset[str]:
    """The parameters from which the names in an expression come, through assignments to names in the function."""
    given = function.args
    parameters = {
        one.arg
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        if one is not None
    }
    sources = _sources(function)
    found: set[str] = set()
    waiting = [*_names(expression)]
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


def _sources(function: FunctionNode) -> dict[str, list[ast.AST]]:
    """What is assigned to each name, or iterated over for it, in a function."""
    found: dict[str, list[ast.AST]] = {}

    def note(target: ast.AST, value: ast.AST) -> None:
        for name in _names(target):
            found.setdefault(name, []).append(value)

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


def _names(node: ast.AST) -> Iterable[str]:
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
