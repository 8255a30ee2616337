"""Positions from the host within brackets."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.positions import positions_without_a_copy


def fix(place: Place) -> Fix | None:
    """Write regular positions as a slice; count ranges on the device."""
    return positions_without_a_copy(place)
