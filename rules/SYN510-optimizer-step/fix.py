"""Steps of an optimizer under a gradient scaler."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.optimizers import fused
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Make the optimizer with ``fused=True``, which leaves a step out on the device."""
    return fused(place) if place.finding.construct == "grad-scaler-step" else None
