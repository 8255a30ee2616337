"""What entering a context manager gives."""

from __future__ import annotations

import ast

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.values import FunctionValue, Instance, Sequence, Unknown, Value
from synclint.analysis.objects import classes
from synclint.analysis.state.frames import Arguments, Frame


def entered(value: Value, frame: Frame, node: ast.AST) -> Value:
    """What ``with value as name`` binds."""
    if isinstance(value, Instance) and value.record is not None:
        method = classes.find_method(value.record, "__enter__")
        if method is not None:
            result = frame.engine.call(FunctionValue(method, value), Arguments(), frame, node)
            return result if not isinstance(result, Unknown) else value
        return value
    if isinstance(value, Sequence) and value.kind == "generator":
        return any_item(value)
    return value
