"""Values that are written through a mask."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.mask_positions import positions_once
from synclint.fixes.place import Place
from synclint.fixes.writes import chosen_by_mask


def fix(place: Place) -> Fix | None:
    """Choose with ``torch.where`` where the values come from the same places; else look up positions once."""
    chosen = chosen_by_mask(place) if place.finding.construct == "mask-write" else None
    return chosen or positions_once(place)
