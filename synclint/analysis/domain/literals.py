"""What the literals of the source stand for."""

from __future__ import annotations

import ast
from functools import lru_cache

from synclint.analysis.domain.values import (
    INTEGER,
    LONGEST_TEXT,
    NOTHING,
    NUMBER,
    STRING,
    UNKNOWN,
    Scalar,
    Text,
    Value,
)
from synclint.analysis.syntax.walk import LARGEST_INTEGER

_TEXTS = frozenset({str, bytes})


def constant(node: ast.Constant) -> Value:
    """The value of a literal; of a long text only that it is one."""
    literal = node.value
    if type(literal) in _TEXTS and len(literal) > LONGEST_TEXT:  # type: ignore[arg-type]
        return STRING
    return _literal(literal)


@lru_cache(maxsize=4096, typed=True)  # code has few that differ: one value for all of them is quickly compared
def _literal(literal: object) -> Value:
    if literal is None:
        return NOTHING
    if isinstance(literal, bool):
        return Scalar("bool", literal)
    if isinstance(literal, int):
        return Scalar("int", literal) if literal < LARGEST_INTEGER else INTEGER
    if isinstance(literal, float):
        return Scalar("float", literal)
    if isinstance(literal, complex):
        return NUMBER
    if isinstance(literal, str):
        return Text(literal)
    return STRING if isinstance(literal, bytes) else UNKNOWN
