"""Values of the host that are written into a tensor."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.writes import filled_element, written_number

_FIXES = {
    "single-element-write": filled_element,
    "index-write-number": written_number,
}


def fix(place: Place) -> Fix | None:
    """Let a kernel write the number."""
    function = _FIXES.get(place.finding.construct)
    return function(place) if function is not None else None
