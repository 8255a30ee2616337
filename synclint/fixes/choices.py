"""Choices that hang on a tensor: the device makes them, so that the host need not know."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import NoFixError, Place

BOTH = "both sides are always computed, and the result is always a new tensor"
_ANYWAY = "the tensor is written to, or replaced, even where nothing is masked, which may affect autograd"
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
# What these compute changes nothing that exists.
_CHANGING = frozenset({"append", "extend", "pop", "update", "backward", "step", "write", "print", "copy_"})
_VIEWS = frozenset({"unsqueeze", "view"})
_CHOOSE = "Choose with `torch.where`"


def chosen(place: Place) -> Fix | None:
    """``if t > 1: x = x / t`` as ``x = torch.where(t > 1, x / t, x)``; ``if m.any(): x[m] = 0`` without the test."""
    statement = place.statement
    if not isinstance(statement, ast.If) or statement.test is not place.node:
        return None
    if place.text(statement).startswith("elif") or place.finding.context.captured is not None:
        return None
    return _unconditional(place, statement) or _where(place, statement)


def _where(place: Place, statement: ast.If) -> Fix | None:
    """One name that is given one of two tensors."""
    test = statement.test
    fact = place.fact(test)
    if "tensor" not in fact.kinds or fact.dtype != "bool" or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    if fact.ndim and fact.ndim > 0:
        return None
    source = choice(place, statement, place.text(test))
    return place.fix(_CHOOSE, place.rewritten(statement, source), caveat=BOTH) if source is not None else None


def choice(place: Place, statement: ast.If, condition: str) -> str | None:
    """The assignment of ``torch.where`` that an ``if`` amounts to whose condition is a 0-dim boolean tensor.

    None where it does anything but give one name one of two tensors.
    """
    one = _assigned(statement.body)
    other = _assigned(statement.orelse) if statement.orelse else None
    if one is None or (statement.orelse and (other is None or other[0] != one[0])):
        return None
    name, value = one
    otherwise = other[1] if other is not None else None
    values = [value] if otherwise is None else [value, otherwise]
    if not all(place.fact(part).is_tensor and _changes_nothing(part) for part in values):
        return None
    if otherwise is None and not any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value)):
        return None  # what it was before need not be a tensor
    if "\n" in "".join(map(place.text, values)) or place.text(statement).startswith("elif"):
        raise NoFixError
    texts = ", ".join([condition, place.text(value), place.text(otherwise) if otherwise is not None else name])
    return f"{name} = {place.name('torch.where')}({texts})"


def _assigned(body: list[ast.stmt]) -> tuple[str, ast.expr] | None:
    if len(body) != 1 or not isinstance(body[0], ast.Assign) or len(body[0].targets) != 1:
        return None
    target = body[0].targets[0]
    return (target.id, body[0].value) if isinstance(target, ast.Name) else None


def _changes_nothing(node: ast.expr) -> bool:
    for inner in ast.walk(node):
        if isinstance(inner, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            return False
        if isinstance(inner, ast.Call):
            if not isinstance(inner.func, ast.Attribute):
                return False
            if inner.func.attr.endswith("_") or inner.func.attr in _CHANGING:
                return False
    return True


def _unconditional(place: Place, statement: ast.If) -> Fix | None:
    """``if m.any(): x = x.masked_fill(m, 0)``, ``if m.any(): x[m] = 0``: where nothing is masked, nothing changes."""
    mask = _asked_for_any(place, statement.test)
    if mask is None or statement.orelse:
        return None
    text = place.text(mask)
    lines = []
    for inner in statement.body:
        if not _is_idle_without(place, inner, text):
            return None
        source = place.text(inner)
        if "\n" in source:
            raise NoFixError
        lines.append(source)
    return place.fix("Do it unconditionally", place.rewritten(statement, "\n".join(lines)), caveat=_ANYWAY)


def _asked_for_any(place: Place, test: ast.expr) -> ast.expr | None:
    """The mask of ``mask.any()`` or ``torch.any(mask)``."""
    if not isinstance(test, ast.Call) or test.keywords:
        return None
    mask: ast.expr | None = None
    if isinstance(test.func, ast.Attribute) and test.func.attr == "any" and not test.args:
        mask = test.func.value
    elif place.qualified(test.func) == "torch.any" and len(test.args) == 1:
        mask = test.args[0]
    if not isinstance(mask, ast.Name) or place.fact(mask).dtype != "bool" or "tensor" not in place.fact(mask).kinds:
        return None
    return mask


def _is_idle_without(place: Place, statement: ast.stmt, mask: str) -> bool:
    """Whether a statement changes nothing where a mask is false everywhere."""
    value: ast.expr | None = None
    if isinstance(statement, ast.Expr):
        value = statement.value
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
            return False
        return value.func.attr == "masked_fill_" and len(value.args) == 2 and _is_mask(place, value.args[0], mask)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Subscript):
        return _is_mask(place, target.slice, mask) and place.fact(value).is_number
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Call) or value.keywords:
        return False
    if isinstance(value.func, ast.Attribute) and value.func.attr == "masked_fill" and len(value.args) == 2:
        return place.text(value.func.value) == target.id and _is_mask(place, value.args[0], mask)
    if place.qualified(value.func) == "torch.where" and len(value.args) == 3:
        return _is_mask(place, value.args[0], mask) and place.text(value.args[2]) == target.id
    return False


def _is_mask(place: Place, node: ast.expr, mask: str) -> bool:
    """Whether an expression is a mask, or a view of it with more dimensions."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _VIEWS:
        node = node.func.value
    while isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not all((isinstance(p, ast.Constant) and p.value in (None, ...)) or _is_whole(p) for p in parts):
            return False
        node = node.value
    return place.text(node) == mask


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None and node.step is None
