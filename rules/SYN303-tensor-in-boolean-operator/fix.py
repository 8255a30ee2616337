"""Tensors of which ``not`` asks whether they are true."""

from __future__ import annotations

from synclint.findings import Fix
from synclint.fixes.checks import raised
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Let the device check what an exception hangs on."""
    return raised(place)
