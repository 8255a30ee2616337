"""Python's builtins over tensors: their methods do the same on the device."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.with_libcst import transformed

BUILTINS = frozenset({"max", "min", "any", "all"})


def fix(place: Place) -> Fix | None:
    """Use ``clamp`` for ``max`` and ``min`` with a number, and methods of tensors for builtins over their elements."""
    match place.node:
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in BUILTINS and not place.binds(name):
            parts = [one.elt if isinstance(one, (ast.GeneratorExp, ast.ListComp)) else one for one in given]
            if any("tensor" in place.fact(one).kinds for one in (*given, *parts)):
                return transformed(place, place.statement)
    return None
