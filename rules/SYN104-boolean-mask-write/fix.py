"""Values that are written through a mask."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.mask_positions import positions_once
from synclint.fixes.place import Place, first_fix
from synclint.fixes.writes import chosen_by_mask


def fix(place: Place) -> Fix | None:
    """Choose with ``torch.where`` where the values come from the same places; else look up positions once."""
    return first_fix(place, chosen_by_mask, positions_once)
