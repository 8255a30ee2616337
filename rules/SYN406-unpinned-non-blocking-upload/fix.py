"""Copies that are told not to wait, and do: from memory that is not pinned."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.uploads import pinned_source


def fix(place: Place) -> Fix | None:
    """Let the loader pin its batches."""
    return pinned_source(place)
