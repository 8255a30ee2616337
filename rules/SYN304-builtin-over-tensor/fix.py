"""Builtins that compare the elements of tensors: the device can do it."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.kept import asked_at_once, clamped, joined_extreme
from synclint.fixes.place import Place, first_fix


def fix(place: Place) -> Fix | None:
    """Use ``clamp`` for ``max`` and ``min`` with a number, and methods of tensors for builtins over their elements."""
    return first_fix(place, clamped, asked_at_once, joined_extreme)
