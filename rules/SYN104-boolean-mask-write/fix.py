"""Values that are written through a mask."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.mask_positions import positions_once
from synclint.fixes.place import Place, first_fix
from synclint.fixes.with_libcst import transformed
from synclint.fixes.writes import chosen_by_mask


def fix(place: Place) -> Fix | None:
    """Choose with ``torch.where`` where the values come from the same places; else look up positions once."""
    return first_fix(place, chosen_by_mask, chosen_row, positions_once)


def chosen_row(place: Place) -> Fix | None:
    """Choose between the rows and a parameter."""
    match place.statement:
        case ast.Assign([ast.Subscript(ast.Name())], ast.Name()):
            return transformed(place, place.statement)
    return None
