"""Operators that a class defines by its methods: one of the project, or a container of modules."""

from __future__ import annotations

import ast

from synclint.analysis.domain.module_containers import with_modules_of
from synclint.analysis.domain.values import (
    FunctionValue,
    Instance,
    Value,
)
from synclint.analysis.objects.classes import find_method
from synclint.analysis.state.frames import Frame

_METHODS: dict[type[ast.AST], str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__", ast.MatMult: "__matmul__",
    ast.Pow: "__pow__", ast.FloorDiv: "__floordiv__", ast.Mod: "__mod__", ast.BitAnd: "__and__", ast.BitOr: "__or__",
    ast.Eq: "__eq__", ast.NotEq: "__ne__", ast.Lt: "__lt__", ast.LtE: "__le__", ast.Gt: "__gt__", ast.GtE: "__ge__",
}  # fmt: skip


def by_operator_method(
    operator: type[ast.AST], left: Value, right: Value, node: ast.expr, frame: Frame
) -> Value | None:
    """What an operator gives that the class of its left operand defines, None where it is another one."""
    if not isinstance(left, Instance) or operator not in _METHODS:
        return None
    method = find_method(left.record, _METHODS[operator]) if left.record is not None else None
    if method is not None:
        return frame.engine.call_with(FunctionValue(method, left), [right], frame, node)
    return with_modules_of(left, right) if operator is ast.Add else None
