"""``.to(device)`` and ``.cuda()`` of pinned memory: let the copy go on while the host does."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place


def fix(place: Place) -> Fix | None:
    """Pass ``non_blocking=True`` where the source is pinned and nobody writes to it afterwards."""
    call = place.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    if call.func.attr not in ("to", "cuda"):
        return None
    return place.fix("Pass `non_blocking=True`", place.with_argument(call, "non_blocking", "True"), caveat="test")
