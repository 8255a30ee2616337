"""Copies of pinned memory that go on while the host does: ``non_blocking=True``."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.uploads import pinned_copy


def fix(place: Place) -> Fix | None:
    """Pass ``non_blocking=True`` where nobody writes to the source of the copy."""
    return pinned_copy(place)
