"""Integers of the device that are used more than once: read once, before the first use."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.elements import read_at_once
from synclint.fixes.place import Place
from synclint.fixes.read_once import read_once


def fix(place: Place) -> Fix | None:
    """Read the integer into a name of its own."""
    return read_once(place) or read_at_once(place)
