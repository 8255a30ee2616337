"""Positions that are looked up only to write a number there: a mask does it alone."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.masked_writes import filled_by_mask
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Write the number through the mask."""
    return filled_by_mask(place)
