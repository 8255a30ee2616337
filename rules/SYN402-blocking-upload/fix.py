"""Copies to the device: left out, or going on while the host does."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.buffers import kept_as_buffer
from synclint.fixes.creation import made_there
from synclint.fixes.place import Place, first_fix
from synclint.fixes.uploads import pinned_copy


def fix(place: Place) -> Fix | None:
    """Make on the device what is made of numbers, keep constants there, and copy batches without waiting."""
    return first_fix(place, made_there, kept_as_buffer, pinned_copy)
