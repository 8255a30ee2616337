"""Names that a module gives to types: aliases, type variables with bounds, and types made of others."""

from __future__ import annotations

import ast
from functools import reduce

from synclint.analysis.domain.values import Instance, Symbol, Value
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import last_name

_TYPING = ("typing", "typing_extensions")


def type_named(value: ast.expr, frame: Frame) -> ast.expr | None:
    """The type, as an annotation, that an assignment of this value gives a name to, None where it gives none."""
    if isinstance(value, (ast.Subscript, ast.BinOp)):
        return value
    if not isinstance(value, ast.Call) or last_name(value.func) not in ("TypeVar", "NewType"):
        return None
    frame.muted += 1
    function = frame.evaluate(value.func)
    frame.muted -= 1
    if not isinstance(function, Symbol) or function.name.rpartition(".")[0] not in _TYPING:
        return None
    if function.name.endswith("NewType"):
        return value.args[1] if len(value.args) == 2 else None
    bounds = [keyword.value for keyword in value.keywords if keyword.arg == "bound"] or value.args[1:]
    return reduce(lambda one, other: ast.BinOp(one, ast.BitOr(), other), bounds) if bounds else None


def is_alias(declared: Value) -> bool:
    """Whether an annotation says that what is assigned is a type, and the name another name of it."""
    return isinstance(declared, Instance) and declared.name in {f"{module}.TypeAlias" for module in _TYPING}
