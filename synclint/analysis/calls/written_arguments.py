"""Which parameters a call gives, by its text alone."""

from __future__ import annotations

import ast
from itertools import takewhile

from synclint.analysis.domain.values import FunctionRecord


def positional_names(record: FunctionRecord) -> list[str]:
    """The parameters to which a call gives its arguments by their positions."""
    positional = [p.name for p in record.parameters if p.kind == "positional"]
    return positional[1:] if record.owner is not None and not record.is_static else positional


def written_arguments(node: ast.AST, positional: list[str]) -> dict[str, ast.expr] | None:
    """The parameters that a call gives, with what it gives for them; None where its text does not tell."""
    if not isinstance(node, ast.Call) or any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    if any(keyword.arg is None for keyword in node.keywords):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "__init__" and isinstance(node.func.value, ast.Name):
        return None  # of the class itself, which is given the object as well
    return told_arguments(node, positional)


def told_arguments(node: ast.Call, positional: list[str]) -> dict[str, ast.expr]:
    """The same as far as the text tells, whatever ``*args`` and ``**options`` give besides."""
    plain = list(takewhile(lambda argument: not isinstance(argument, ast.Starred), node.args))
    named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
    return {**dict(zip(positional, plain, strict=False)), **named}
