"""What selects what a function does: ``if version == 3``, ``elif dim in (0, 1)``, ``getattr(hook, event)()``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.syntax.walk import dotted_name


def whole_number(node: ast.expr) -> int | None:
    """The number that a constant is, None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.value
    return None


def names_compared_with_numbers(comparisons: Iterable[ast.Compare]) -> Iterator[str]:
    """The names of which comparisons ask which whole number they are."""
    for node in comparisons:
        if not isinstance(node.left, ast.Name) or len(node.ops) != 1:
            continue
        operator, right = node.ops[0], node.comparators[0]
        if isinstance(operator, (ast.Eq, ast.NotEq)) and whole_number(right) is not None:
            yield node.left.id
        elif isinstance(operator, (ast.In, ast.NotIn)) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
            if right.elts and None not in map(whole_number, right.elts):
                yield node.left.id


def name_looked_up(call: ast.Call) -> str | None:
    """The name whose value is that of an attribute: `event` in ``getattr(hook, event)``."""
    if len(call.args) < 2 or dotted_name(call.func) != "getattr":
        return None
    return call.args[1].id if isinstance(call.args[1], ast.Name) else None
