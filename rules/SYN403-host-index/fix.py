"""Positions from the host within brackets."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.buffers import kept_as_buffer
from synclint.fixes.place import Place, first_fix
from synclint.fixes.positions import positions_without_a_copy


def fix(place: Place) -> Fix | None:
    """Write regular positions as a slice, count ranges on the device, and keep constant ones there."""
    return first_fix(place, positions_without_a_copy, kept_as_buffer)
