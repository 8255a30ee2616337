"""Tensors that are given where a number is asked for: multiplied by on the device."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Multiply by what is given as ``alpha`` or ``value``."""
    match place.node:
        case ast.Call(func=ast.Attribute(), keywords=[ast.keyword(arg="alpha" | "value")]):
            return transformed(place, place.statement)
    return None
