"""Repetitions whose number the host knows from the size of something else."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Pass the number of the results."""
    match place.node:
        case ast.Call(ast.Attribute(attr="repeat_interleave"), [*_, ast.Call(ast.Attribute(attr="sum"))]):
            if isinstance(place.function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return transformed(place, *place.function.body)
    return None
