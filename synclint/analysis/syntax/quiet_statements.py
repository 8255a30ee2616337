"""Statements that bind names and run nothing: whoever does not mention the names is not concerned by them."""

from __future__ import annotations

import ast

from synclint.analysis.syntax.bindings import bound_by
from synclint.analysis.syntax.walk import walk

# What an expression is made of that calls nothing, and takes no name for a value that it hands on.
_QUIET = (
    ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp, ast.BinOp,
    ast.expr_context, ast.operator, ast.USub, ast.UAdd, ast.Invert,
)  # fmt: skip


def names_bound_by(statement: ast.stmt) -> frozenset[str] | None:
    """The names that a statement binds at the top of a module or in a class, and nothing else that it does.

    None where it may do more: it calls something, or what it binds has a meaning for Python.
    """
    names = _names(statement)
    return None if names is None or any(name.startswith("__") and name.endswith("__") for name in names) else names


def has_quiet_defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether what a function takes where nobody gives anything is written out."""
    return _is_quiet(*function.args.defaults, *function.args.kw_defaults)


def _names(statement: ast.stmt) -> frozenset[str] | None:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return _imported(statement)
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        is_quiet = not statement.decorator_list and has_quiet_defaults(statement)
        has_classes = any(isinstance(node, ast.ClassDef) for node in walk(statement))
        is_shown = ">>>" in (ast.get_docstring(statement, clean=False) or "")  # to others than those who wrote it
        return None if has_classes or is_shown or not is_quiet else frozenset({statement.name})
    if isinstance(statement, ast.Assign) and all(isinstance(target, ast.Name) for target in statement.targets):
        names = frozenset(target.id for target in statement.targets if isinstance(target, ast.Name))
        return names if _is_quiet(statement.value) else None
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return frozenset({statement.target.id}) if _is_quiet(statement.value) else None
    return None


def _imported(statement: ast.Import | ast.ImportFrom) -> frozenset[str] | None:
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return None
    names = frozenset(name for alias in statement.names for name in bound_by(alias))
    return None if "*" in names else names


def _is_quiet(*values: ast.expr | None) -> bool:
    return all(isinstance(node, _QUIET) for value in values if value is not None for node in walk(value))
