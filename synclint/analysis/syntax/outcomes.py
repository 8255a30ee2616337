"""How a test comes out, by how its parts do."""

from __future__ import annotations

import ast
from collections.abc import Callable


def outcome_by_parts(test: ast.expr, of_part: Callable[[ast.expr], bool | None]) -> bool | None:
    """How a test comes out: ``of_part`` tells that of what is no ``not``, ``and`` or ``or``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = outcome_by_parts(test.operand, of_part)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        outcomes = [outcome_by_parts(value, of_part) for value in test.values]
        deciding = isinstance(test.op, ast.Or)
        if deciding in outcomes:
            return deciding
        return None if None in outcomes else not deciding
    return of_part(test)
