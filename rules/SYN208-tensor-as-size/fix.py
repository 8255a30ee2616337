"""Tensors that are used as sizes: read once, before the first use."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.elements import indexed_sizes, read_at_once
from synclint.fixes.place import Place, first_fix
from synclint.fixes.read_once import read_once
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Read the integer into a name of its own, or all elements with one copy."""
    return first_fix(place, read_once, read_at_once, indexed_sizes, known_by_a_size)


def known_by_a_size(place: Place) -> Fix | None:
    """Count to the size of what was repeated as often as the bound says."""
    match place.node:
        case ast.Call(made, [ast.Name()]) if isinstance(place.function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if place.qualified(made) == "torch.arange" and "repeat_interleave" in place.text(place.function):
                return transformed(place, *place.function.body)
    return None
