"""Numbers that are read one by one: read together, or kept on the device and read at the end."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.accumulation import accumulated
from synclint.fixes.collected import read_together
from synclint.fixes.elements import copied_at_once, read_at_once
from synclint.fixes.place import Place, first_fix
from synclint.fixes.reads import stacked_reads
from synclint.fixes.with_libcst import transformed


def checked(place: Place) -> Fix | None:
    """Check it on the device."""
    return transformed(place, place.statement, rule="SYN302") if isinstance(place.statement, ast.Assert) else None


def kept_there(place: Place) -> Fix | None:
    """Leave on the device what is put into a tensor there again."""
    match place.file.parent(place.node):
        case ast.List([_]):
            return transformed(place, place.statement, rule="SYN203")
    return None


def fix(place: Place) -> Fix | None:
    """Read after the loop what is only added up in it, or all numbers of a step with one copy, or none."""
    return first_fix(
        place, checked, accumulated, read_at_once, read_together, stacked_reads, kept_there, copied_at_once
    )
