"""Numbers that are written where ``nonzero`` says: written through the mask, whose positions nobody has to look up.

What is written by a boolean mask is written at the positions that ``nonzero`` gives; a number is filled in by a kernel.
Source: ``aten/src/ATen/native/TensorAdvancedIndexing.cpp``, ``canDispatchToMaskedFill``.
"""

from __future__ import annotations

import ast

from synclint.findings import Edit, Fix
from synclint.fixes.devices import is_plain
from synclint.fixes.numbers import only_value
from synclint.fixes.place import Place
from synclint.fixes.uses import bindings, is_captured, loads

_OTHER_SHAPE = "the mask has to have the shape of the tensor that is written to, with at least one dimension"
_FILL = "Write the number through the mask"
_NUMBERS = frozenset({"bool", "int", "float", "number"})


def filled_by_mask(place: Place) -> Fix | None:
    """``x[torch.nonzero(x == 3, as_tuple=True)] = 0`` as ``x[x == 3] = 0``."""
    return _instead_of(place, place.node)


def filled_at_positions(place: Place, positions: ast.expr) -> Fix | None:
    """The same for the positions at which something is written, or for their name."""
    named = only_value(place, positions) if isinstance(positions, ast.Name) else None
    return _instead_of(place, named or positions)


def _instead_of(place: Place, lookup: ast.expr) -> Fix | None:
    mask = _looked_up(place, lookup)
    if mask is None or place.fact(mask).dtype != "bool":
        return None
    around = place.file.parent(lookup)
    if isinstance(around, ast.Subscript) and around.slice is lookup:
        written = _write(place, around)
        if written is None:
            return None
        edit = _written(place, around, place.text(mask), written)
        return place.fix(_FILL, edit, caveat=_OTHER_SHAPE)
    return _by_a_name(place, lookup, mask, around)


def _by_a_name(place: Place, lookup: ast.expr, mask: ast.expr, around: ast.AST | None) -> Fix | None:
    """The same where the positions have a name, with which nothing else is done."""
    scope = place.function
    if not isinstance(around, ast.Assign) or len(around.targets) != 1 or scope is None:
        return None
    target = around.targets[0]
    if not isinstance(target, ast.Name) or around.value is not lookup:
        return None
    if len(bindings(scope, target.id)) != 1 or is_captured(scope, target.id):
        return None
    edits: list[Edit] = [place.replaced(lookup, place.text(mask))]
    for use in loads(scope, target.id):
        subscript = place.file.parent(use)
        if not isinstance(subscript, ast.Subscript) or subscript.slice is not use or use.lineno <= around.lineno:
            return None
        written = _write(place, subscript)
        if written is None:
            return None
        edits.append(_written(place, subscript, target.id, written))
    if len(edits) == 1:
        return None
    return place.fix(_FILL, *edits, caveat=_OTHER_SHAPE)


def _looked_up(place: Place, node: ast.expr) -> ast.expr | None:
    """The mask in ``torch.nonzero(m, as_tuple=True)``, ``m.nonzero(as_tuple=True)`` or ``torch.where(m)``."""
    if not isinstance(node, ast.Call):
        return None
    words = {word.arg: word.value for word in node.keywords}
    as_tuple = words.get("as_tuple")
    is_tuple = isinstance(as_tuple, ast.Constant) and as_tuple.value is True and len(words) == 1
    function = place.qualified(node.func)
    if len(node.args) == 1:
        is_lookup = (function == "torch.nonzero" and is_tuple) or (function == "torch.where" and not words)
        return node.args[0] if is_lookup else None
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "nonzero" and not node.args
    return node.func.value if is_method and is_tuple else None  # type: ignore[attr-defined]


def _write(place: Place, target: ast.Subscript) -> ast.Assign | None:
    """The statement that writes a number to these places of a tensor, as far as is known, and does nothing else.

    What is no number is written to the same places as well, but not without a wait.
    """
    statement = place.file.parent(target)
    if not isinstance(statement, ast.Assign) or statement.targets != [target]:
        return None
    kinds = place.fact(statement.value).kinds
    is_number = bool(kinds & _NUMBERS) and kinds <= _NUMBERS | {"unknown"}
    return statement if is_number and is_plain(target.value) and "tensor" in place.fact(target.value).kinds else None


def _written(place: Place, target: ast.Subscript, mask: str, written: ast.Assign) -> Edit:
    """The edit of a whole statement, so that no other fix makes a tensor of the number, which would need positions."""
    return place.rewritten(written, f"{place.text(target.value)}[{mask}] = {place.text(written.value)}")
