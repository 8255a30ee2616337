"""Copies to the host of what is returned together with what stays on the device."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.uses import is_name, nodes_of
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Leave it on the device."""
    match place.statement:
        case ast.Return(ast.Tuple()):
            return transformed(place, place.statement)
        case ast.Assign([ast.Name(name)]):
            match place.function:
                case ast.FunctionDef() | ast.AsyncFunctionDef() as function if _is_returned_with_others(function, name):
                    return transformed(place, *function.body)
    return None


def _is_returned_with_others(function: ast.AST, name: str) -> bool:
    """Whether a function returns a tuple of which what has this name is an element."""
    returned = (node.value for node in nodes_of(function) if isinstance(node, ast.Return))
    return any(isinstance(value, ast.Tuple) and any(is_name(one, name) for one in value.elts) for value in returned)
