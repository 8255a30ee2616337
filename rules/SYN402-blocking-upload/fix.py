"""Copies to the device that go on while the host does: ``non_blocking=True``, from memory that is pinned."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.uploads import pinned_copy


def fix(place: Place) -> Fix | None:
    """Pass ``non_blocking=True``, and let the loader pin its batches."""
    return pinned_copy(place) if isinstance(place.node, ast.Call) else None
