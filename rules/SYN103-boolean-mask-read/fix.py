"""Selections that are reduced at once: reductions that leave out what the mask does."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.masks import reduced_without_selection
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Leave elements out of a loss, a sum or a mean without selecting the others."""
    return reduced_without_selection(place)
