"""Decorators that make a function of a function: ``compose(steps)`` gives what is called with the data.

Other decorators are taken to give what they are given, with the same parameters: so as a rule they do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from synclint.analysis.domain.values import FunctionRecord, FunctionValue, Value
from synclint.analysis.objects.device_code import imported_as
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.analysis.syntax.walk import dotted_name, statements

_Definition = ast.FunctionDef | ast.AsyncFunctionDef


def decorated(record: FunctionRecord, decorator: ast.expr, made_by: Value, frame: Frame) -> Value | None:
    """What a decorator of the project makes of a function; None where it is the function, as far as is known."""
    if not isinstance(made_by, FunctionValue) or not _curries(made_by.record):
        return None
    made = frame.engine.call(made_by, Arguments([FunctionValue(record)]), frame, decorator)
    return made if isinstance(made, FunctionValue) else None


def wrappers(engine: Interpreter, record: FunctionRecord) -> tuple[str, ...]:
    """What decorators of the project put in the place of a function, by the keys of their records.

    The calls of the function are calls of these.
    """
    found: list[str] = []
    for decorator in record.decorator_nodes:
        name = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
        known = record.module.scope.get(name)
        made_by = known if isinstance(known, FunctionValue) else engine.resolve(imported_as(name, record.module))
        if not isinstance(made_by, FunctionValue):
            continue
        given = _functions_given(made_by.record)
        if isinstance(decorator, ast.Call):
            given = tuple(one for maker in given for one in maker.gives)
        module, first = made_by.record.module.real_path, made_by.record.first_line
        found += [f"{module}:{first + one.line}:{one.column}" for one in given]
    return tuple(found)


class _FunctionGiven(NamedTuple):
    """A function that the one around it returns, how far below the outermost one it begins, and what it gives."""

    line: int
    column: int
    gives: tuple[_FunctionGiven, ...]


@text_fact
def _functions_given(record: FunctionRecord) -> tuple[_FunctionGiven, ...]:
    """The functions within a function that it returns."""
    return () if isinstance(record.node, ast.Lambda) else tuple(_given_by(record.node, record.first_line))


def _given_by(function: _Definition, first_line: int) -> Iterator[_FunctionGiven]:
    names = {_name_of(given) for given in _returned(function)}
    for one in function.body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name in names:
            yield _FunctionGiven(one.lineno - first_line, one.col_offset, tuple(_given_by(one, first_line)))


@text_fact
def _curries(record: FunctionRecord) -> bool:
    """Whether a function returns a function within it that does nothing but return others."""
    if isinstance(record.node, ast.Lambda):
        return False
    within = {inner.name: inner for inner in record.node.body if isinstance(inner, ast.FunctionDef)}
    returned = [_name_of(given) for given in _returned(record.node) if given is not None]
    return bool(returned) and all(name in within and _gives_functions(within[name]) for name in returned)


def _gives_functions(function: ast.FunctionDef) -> bool:
    within = {inner.name for inner in function.body if isinstance(inner, ast.FunctionDef)}
    given = list(_returned(function))
    return bool(given) and all(isinstance(one, ast.Lambda) or _name_of(one) in within for one in given)


def _returned(function: _Definition) -> Iterator[ast.expr | None]:
    """What a function returns, those within it aside."""
    inner = [one for one in function.body if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    return (statement.value for statement in statements(inner) if isinstance(statement, ast.Return))


def _name_of(node: ast.expr | None) -> str | None:
    return node.id if isinstance(node, ast.Name) else None
