"""Waits around a clock: events measure on the device."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.clocks import measured_with_events
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Record events where a clock is read after ``synchronize``."""
    return measured_with_events(place)
