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
            return None if place.finding.context.captured else transformed(place, asked, rule="SYN301")
        case ast.If(test=ast.Compare(ops=[ast.NotEq()], comparators=[ast.Constant(1)]), orelse=[]):
            return transformed(place, asked, rule="SYN301")
    return None


def _negated(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
