"""Boolean masks that select what is reduced at once: the rest is left out of the reduction instead of being cut away.

Without the selection the shapes do not depend on values, so that nobody has to wait for them.
"""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.numbers import only_value
from synclint.fixes.place import Place

_LOSSES = frozenset({"torch.nn.functional.cross_entropy", "torch.nn.functional.nll_loss"})
_IGNORED = "the last bits can differ, and ignored values that are NaN or infinite may make the gradients NaN"
_LEFT_OUT = "the last bits can differ, and the mask has to have the shape of what it selects from"


def reduced_without_selection(place: Place) -> Fix | None:
    """A loss with ``ignore_index``, or a sum or mean over what a mask leaves, for those of selected elements."""
    node = place.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return None
    around = place.file.parent(node)
    if isinstance(around, ast.Call) and node in around.args:
        return _loss_with_ignored_index(place, around)
    if isinstance(around, ast.Attribute) and around.attr in ("sum", "mean"):
        return _masked_reduction(place, node, around)
    return None


def _loss_with_ignored_index(place: Place, call: ast.Call) -> Fix | None:
    """``F.cross_entropy(x[y != -1], y[y != -1])`` as ``F.cross_entropy(x, y, ignore_index=-1)``."""
    if place.qualified(call.func) not in _LOSSES or len(call.args) != 2:
        return None
    words = {word.arg: word.value for word in call.keywords}
    if words.keys() - {"reduction", "label_smoothing"}:
        return None
    reduction = words.get("reduction")
    if reduction is not None and not (isinstance(reduction, ast.Constant) and reduction.value in ("mean", "sum")):
        return None
    logits, target = call.args
    if not isinstance(logits, ast.Subscript) or not isinstance(target, ast.Subscript):
        return None
    if place.text(logits.slice) != place.text(target.slice):
        return None
    ignored = _ignored_value(place, logits.slice, place.text(target.value))
    if ignored is None or not isinstance(target.value, (ast.Name, ast.Attribute)):
        return None
    is_flat = place.fact(target.value).ndim == 1
    return place.fix(
        f"Pass `ignore_index={ignored}`",
        place.replaced(logits, place.text(logits.value) + ("" if is_flat else ".flatten(0, -2)")),
        place.replaced(target, place.text(target.value) + ("" if is_flat else ".flatten()")),
        place.with_argument(call, "ignore_index", ignored),
        caveat=_IGNORED,
    )


def _ignored_value(place: Place, mask: ast.expr, target: str) -> str | None:
    """The integer of which a mask says that ``target`` is another one, as written."""
    comparison = only_value(place, mask) if isinstance(mask, ast.Name) else mask
    if not isinstance(comparison, ast.Compare) or len(comparison.ops) != 1:
        return None
    left, right = comparison.left, comparison.comparators[0]
    if not isinstance(comparison.ops[0], ast.NotEq) or place.text(left) != target:
        return None
    value = right.operand if isinstance(right, ast.UnaryOp) and isinstance(right.op, ast.USub) else right
    if isinstance(value, ast.Constant) and type(value.value) is int:
        return place.text(right)
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
