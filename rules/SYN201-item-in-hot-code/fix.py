"""Numbers that are read one by one: read together, or accumulated on the device and read at the end."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.accumulation import accumulated
from synclint.fixes.collected import read_together
from synclint.fixes.elements import read_at_once
from synclint.fixes.place import Place
from synclint.fixes.reads import stacked_reads


def fix(place: Place) -> Fix | None:
    """Read after the loop what is only added up in it; else read all numbers of a step with one copy."""
    return accumulated(place) or read_at_once(place) or read_together(place) or stacked_reads(place)
