"""Builtins that compare the elements of tensors: the device can do it."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.kept import clamped
from synclint.fixes.place import Place, first_fix


def fix(place: Place) -> Fix | None:
    """Use ``clamp`` in the place of ``max`` and ``min`` with a number."""
    return first_fix(place, clamped)
