"""Means whose default weight is copied in every update."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.metric_arguments import weighted_on_the_device
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Pass a weight that is made on the device."""
    return weighted_on_the_device(place)
