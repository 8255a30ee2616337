"""Names of which a function pins the memory: only tensors on the CPU can be, and what they were computed from is there.

Source: ``aten/src/ATen/native/Memory.cpp`` and ``EmptyTensor.cpp``: "Only dense CPU tensors can be pinned".
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.syntax.walk import dotted_name

# What gives something that is not where the tensor is of which it is asked.
_ELSEWHERE = frozenset({"to", "cpu", "cuda", "type", "type_as", "item", "tolist", "numpy", "copy_"})


def pinned_in(record: FunctionRecord, body: Iterable[ast.stmt]) -> frozenset[str]:
    """The names of which the ``body`` of a function pins what they stand for, whatever it was given.

    What is pinned under a condition may have been asked where it is. ``lengths = sizes.cumsum(0)`` before says so of
    ``sizes`` as well, unless anything before has given that name what may be elsewhere.
    """
    found: dict[str, int] = {}
    for statement in body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)) and statement.value is not None:
            for name in _pinned(statement.value):
                found.setdefault(name, statement.lineno)
    waiting = list(found)
    given = record.nodes.of(ast.Assign) if waiting else ()
    while waiting:
        name = waiting.pop()
        for assigned in _given(name, given, found[name]):
            for source in _worked_on(assigned.value) or ():
                if source not in found:
                    found[source] = assigned.lineno
                    waiting.append(source)
    return frozenset(
        name
        for name, line in found.items()
        if all(_worked_on(one.value) is not None for one in _given(name, given, line))
    )


def _given(name: str, assigned: Iterable[ast.Assign], line: int) -> Iterator[ast.Assign]:
    """What gives a name something before a line."""
    for one in assigned:
        if one.lineno < line and any(isinstance(target, ast.Name) and target.id == name for target in one.targets):
            yield one


def _pinned(value: ast.expr) -> Iterator[str]:
    """The names that an expression pins, or asks for pinned memory like theirs: ``x.new_empty(3, pin_memory=True)``."""
    if isinstance(value, (ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension)):
        return
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and isinstance(value.func.value, ast.Name):
        asked = next((one.value for one in value.keywords if one.arg == "pin_memory"), None)
        is_like = value.func.attr.startswith("new_") and asked is not None and not _is_false(asked)
        if is_like or (value.func.attr == "pin_memory" and not value.args):
            yield value.func.value.id
    for part in ast.iter_child_nodes(value):
        if isinstance(part, ast.keyword):
            yield from _pinned(part.value)
        elif isinstance(part, ast.expr):
            yield from _pinned(part)


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _worked_on(value: ast.expr) -> list[str] | None:
    """The names of the tensors from which an expression computes another, where they are; None if it may move them."""
    match value:
        case ast.Name(id=name):
            return [name]
        case ast.Constant():
            return []
        case ast.Subscript(value=inner) | ast.UnaryOp(operand=inner):
            return _worked_on(inner)
        case ast.BinOp(left=left, right=right):
            return _all_worked_on([left, right])
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return _all_worked_on(parts)
        case ast.Call(func=ast.Attribute(value=inner, attr=method), args=arguments, keywords=keywords):
            if method in _ELSEWHERE or any(one.arg in ("device", "out", None) for one in keywords):
                return None
            if dotted_name(inner) == "torch":
                return _all_worked_on(arguments)
            return _worked_on(inner)
    return None


def _all_worked_on(values: Iterable[ast.expr]) -> list[str] | None:
    found = [_worked_on(value) for value in values]
    if any(one is None for one in found):
        return None
    return [name for one in found if one is not None for name in one]
