"""Elements of a tensor that are turned into text one by one: copied to the host together."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.elements import copied_at_once, read_at_once
from synclint.fixes.place import Place, first_fix


def fix(place: Place) -> Fix | None:
    """Read a tensor before the loop over it."""
    return first_fix(place, read_at_once, copied_at_once)
