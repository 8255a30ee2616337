"""Conditions on tensors: choices that the device can make."""

from __future__ import annotations

import ast

from synclint.findings import Fix
from synclint.fixes.place import Place
from synclint.fixes.with_libcst import transformed


def fix(place: Place) -> Fix | None:
    """Choose on the device: what is asked is whether a call or a comparison is true, or whether not."""
    asked = place.statement
    match asked:
        case ast.If(test=test) if not isinstance(_negated(test), (ast.Call, ast.Compare)):
            return None
        case ast.If(body=[ast.Assign() | ast.Expr(ast.Call(ast.Attribute(attr="masked_fill_"))), *_]):
            is_changed = _gives_one_name(asked, place) or _asks_for_any(asked, place)
            return (
                transformed(place, asked, rule="SYN301") if is_changed and not place.finding.context.captured else None
            )
        case ast.If(test=ast.Compare(ops=[ast.NotEq()], comparators=[ast.Constant(1)]), orelse=[]):
            return transformed(place, asked, rule="SYN301")
    return None


def _gives_one_name(asked: ast.If, place: Place) -> bool:
    """Whether a name is given one of two values, or a value that is made of what it had."""
    match asked.body, asked.orelse:
        case [ast.Assign([ast.Name(name)], value)], []:
            return (isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult)) or name in place.text(value)
        case [ast.Assign([ast.Name(name)])], [ast.Assign([ast.Name(other)])]:
            return name == other
    return False


def _asks_for_any(asked: ast.If, place: Place) -> bool:
    """Whether something is done where any element of a mask is true: ``if mask.any()``, ``if torch.any(mask)``."""
    match asked.test, asked.orelse:
        case ast.Call(ast.Attribute(ast.Name(), "any"), [], []), []:
            return True
        case ast.Call(function, [ast.Name()], []), []:
            return place.qualified(function) == "torch.any"
    return False


def _negated(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
