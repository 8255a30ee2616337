"""Assertions about tensors."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.checks import asserted
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Check it on the device."""
    return asserted(place)
