"""Counts of which it is known how many there are."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Add ones where the values say."""
    match place.node:
        case ast.Call(args=[ast.Name()], keywords=[ast.keyword(arg="minlength")]):
            return transformed(place, place.statement)
    return None
