"""Boolean masks that select what is reduced at once: the rest is left out of the reduction instead of being cut away.

Without the selection the shapes do not depend on values, so that nobody has to wait for them.
"""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place

_LEFT_OUT = "the last bits can differ, and the mask has to have the shape of what it selects from"


def reduced_without_selection(place: Place) -> Fix | None:
    """A sum or mean over what a mask leaves, for those of selected elements."""
    node = place.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return None
    around = place.file.parent(node)
    if isinstance(around, ast.Attribute) and around.attr in ("sum", "mean"):
        return _masked_reduction(place, node, around)
    return None


def _masked_reduction(place: Place, selected: ast.Subscript, method: ast.Attribute) -> Fix | None:
    """``x[mask].mean()`` as ``x.masked_fill(~mask, 0).sum() / mask.sum()``."""
    call, mask = place.file.parent(method), selected.slice
    if not isinstance(call, ast.Call) or call.func is not method or call.args or call.keywords:
        return None
    if not isinstance(mask, ast.Name) or not isinstance(selected.value, (ast.Name, ast.Attribute)):
        return None
    known, masked = place.fact(mask), place.fact(selected.value)
    if known.dtype != "bool" or not masked.is_tensor or masked.dtype == "bool":
        return None
    if known.ndim != masked.ndim or (method.attr == "mean" and masked.dtype == "int"):
        return None
    kept = f"{place.text(selected.value)}.masked_fill(~{mask.id}, 0).sum()"
    if method.attr == "sum":
        return place.fix("Sum over what the mask selects", place.replaced(call, kept), caveat=_LEFT_OUT)
    quotient = f"{kept} / {mask.id}.sum()"
    around = place.file.parent(call)
    text = quotient if isinstance(around, (ast.Assign, ast.Return, ast.AnnAssign, ast.keyword)) else f"({quotient})"
    return place.fix("Divide the sum by the number of elements", place.replaced(call, text), caveat=_LEFT_OUT)
