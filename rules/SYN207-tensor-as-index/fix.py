"""Tensors that are used as indices and bounds: read once, before the first use."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.elements import read_at_once
from synclint.fixes.place import Place, first_fix
from synclint.fixes.read_once import read_once


def fix(place: Place) -> Fix | None:
    """Read the integer into a name of its own, or all elements with one copy."""
    return first_fix(place, read_once, read_at_once)
