"""Tests of whether values are numbers at all: training goes on only where nearly all of them are."""

from __future__ import annotations

import ast

from synclint.analysis.syntax.walk import dotted_name

_WHERE_TRUE = frozenset({"isnan", "isinf"})
_WHERE_FALSE = frozenset({"isfinite"})
# What makes one truth of many, or reads it.
_SUMMING_UP = frozenset({"any", "all", "sum", "item", "max", "cpu", "detach", "bool", "count_nonzero", "tolist"})


def is_of_no_number(test: ast.expr, taken: bool) -> bool:
    """Whether a test has an outcome only where something is infinite or no number: ``torch.isnan(loss).any()``.

    Nothing but what is no number differs from itself: ``(x != x).any()``.
    """
    match test:
        case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=operand):
            return is_of_no_number(operand, not taken)
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0 | False)]):
            return is_of_no_number(left, taken)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=0 | False)]):
            return is_of_no_number(left, not taken)
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
            return taken and dotted_name(left) is not None and dotted_name(left) == dotted_name(right)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _WHERE_TRUE | _WHERE_FALSE:
            return taken is (name in _WHERE_TRUE)
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[]) if name in _SUMMING_UP:
            return is_of_no_number(value, taken)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[value]) if name in _SUMMING_UP:
            return is_of_no_number(value, taken)
    return False
