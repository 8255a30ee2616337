"""Copies to the device: left out, or going on while the host does."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.creation import made_there
from synclint.fixes.place import Place
from synclint.fixes.uploads import pinned_copy


def fix(place: Place) -> Fix | None:
    """Make on the device what is made of numbers; copy batches without waiting, and let the loader pin them."""
    return made_there(place) or pinned_copy(place)
