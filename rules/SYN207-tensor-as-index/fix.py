"""Tensors that are used as indices and bounds: read once, before the first use."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.elements import read_at_once
from synclint.fixes.place import Place, first_fix
from synclint.fixes.read_once import read_once
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Read the integer into a name of its own, or all elements with one copy."""
    return first_fix(place, read_once, read_at_once, compared_with_positions)


def compared_with_positions(place: Place) -> Fix | None:
    """Write all rows at once, where positions are less than the bounds."""
    match place.file.parent(place.statement):
        case ast.For(target=ast.Name(), body=[ast.Assign([ast.Subscript()])]) as loop:
            return transformed(place, loop)
    return None
