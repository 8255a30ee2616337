"""Values that are written through a mask."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.writes import chosen_by_mask


def fix(place: Place) -> Fix | None:
    """Choose with ``torch.where`` where the values come from the same places."""
    return chosen_by_mask(place) if place.finding.construct == "mask-write" else None
