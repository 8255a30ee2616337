"""Decorators that make a function of a function: ``compose(steps)`` gives what is called with the data.

Other decorators are taken to give what they are given, with the same parameters: so as a rule they do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.values import FunctionRecord, FunctionValue, Value
from synclint.analysis.objects.device_code import imported_as
from synclint.analysis.state.frames import Arguments, Frame, Interpreter
from synclint.analysis.syntax.walk import dotted_name, statements

_Definition = ast.FunctionDef | ast.AsyncFunctionDef


def decorated(record: FunctionRecord, decorator: ast.expr, made_by: Value, frame: Frame) -> Value | None:
    """What a decorator of the project makes of a function; None where it is the function, as far as is known."""
    if not isinstance(made_by, FunctionValue) or isinstance(made_by.record.node, ast.Lambda):
        return None
    if not _curries(made_by.record.node):
        return None
    made = frame.engine.call(made_by, Arguments([FunctionValue(record)]), frame, decorator)
    return made if isinstance(made, FunctionValue) else None


def wrappers(engine: Interpreter, record: FunctionRecord) -> tuple[str, ...]:
    """What decorators of the project put in the place of a function, by the keys of their records.

    The calls of the function are calls of these.
    """
    found: list[str] = []
    for decorator in record.node.decorator_list if not isinstance(record.node, ast.Lambda) else ():
        name = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
        known = record.module.scope.get(name)
        made_by = known if isinstance(known, FunctionValue) else engine.resolve(imported_as(name, record.module))
        if not isinstance(made_by, FunctionValue) or isinstance(made_by.record.node, ast.Lambda):
            continue
        given = _functions_given(made_by.record.node)
        if isinstance(decorator, ast.Call):
            given = [one for maker in given for one in _functions_given(maker)]
        path = made_by.record.module.real_path
        found += [f"{path}:{one.lineno}:{one.col_offset}" for one in given]
    return tuple(found)


def _functions_given(function: _Definition) -> list[_Definition]:
    """The functions within a function that it returns."""
    names = {_name_of(given) for given in _returned(function)}
    return [
        one for one in function.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name in names
    ]


def _curries(function: _Definition) -> bool:
    """Whether a function returns a function within it that does nothing but return others."""
    within = {inner.name: inner for inner in function.body if isinstance(inner, ast.FunctionDef)}
    returned = [_name_of(given) for given in _returned(function) if given is not None]
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
