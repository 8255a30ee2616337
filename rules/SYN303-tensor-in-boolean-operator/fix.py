"""Tensors of which ``not`` asks whether they are true."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.folders import fix_function
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """What is done about a condition: let the device choose."""
    return fix_function("SYN301")(place)
