"""Distinct values of which only the number counts: sorted, and counted on the device."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.counted_values import counted_on_the_device
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Count them without a size that hangs on values, and let the device choose by the number."""
    return counted_on_the_device(place)
