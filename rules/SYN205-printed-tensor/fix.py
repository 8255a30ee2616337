"""Elements of a tensor that are turned into text one by one: copied to the host together."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.elements import read_at_once
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Read a tensor before the loop over it."""
    return read_at_once(place)
