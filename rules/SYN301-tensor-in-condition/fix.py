"""Conditions on tensors: checks that the device can make, and choices that it can make."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.checks import raised
from synclint.fixes.choices import chosen
from synclint.fixes.place import Place, first_fix


def fix(place: Place) -> Fix | None:
    """Check it on the device, or choose."""
    return first_fix(place, raised, chosen)
