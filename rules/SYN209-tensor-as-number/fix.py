"""Tensors that are given for a number: computed with on the device."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.kept import multiplied
from synclint.fixes.place import Place, first_fix


def fix(place: Place) -> Fix | None:
    """Multiply by what is given as ``alpha`` or ``value``."""
    return first_fix(place, multiplied)
