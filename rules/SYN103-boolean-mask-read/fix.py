"""Selections: reductions that leave out what the mask does, and positions that are looked up once for several."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.mask_positions import positions_once
from synclint.fixes.masks import reduced_without_selection
from synclint.fixes.place import Place, first_fix


def fix(place: Place) -> Fix | None:
    """Leave elements out of a sum or a mean without selecting the others; else look up positions once."""
    return first_fix(place, reduced_without_selection, positions_once)
