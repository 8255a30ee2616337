"""Values that are read by an operator: kept on the device until the recorder is flushed."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place

_LATER = "the number is there after `flush` only, and behind those that were recorded before it"


def fix(place: Place) -> Fix | None:
    """Write ``recorder.keep(loss)`` for ``recorder << loss``."""
    node = place.node
    if not isinstance(node, ast.BinOp) or not isinstance(node.left, ast.Name):
        return None
    kept = f"{place.text(node.left)}.keep({place.text(node.right)})"
    return place.fix("Keep it until the recorder is flushed", place.replaced(node, kept), caveat=_LATER)
