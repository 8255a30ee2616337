"""What heads a function: its parameters and decorators."""

from __future__ import annotations

import ast
from itertools import repeat

from synclint import frozen
from synclint.analysis.syntax.walk import dotted_name


@frozen.dataclass(frozen=True)
class Parameter:
    """A parameter of a function: ``kind`` is "positional", "keyword", "*" or "**"."""

    name: str
    kind: str
    annotation: ast.expr | None
    default: ast.expr | None


def parameters_of(given: ast.arguments, stub: ast.arguments | None) -> tuple[Parameter, ...]:
    """The parameters of a function in order, with the annotations of its ``stub`` where it has none of its own."""
    said = _annotations(stub) if stub is not None else {}
    positional = [*given.posonlyargs, *given.args]
    defaults = [*repeat(None, len(positional) - len(given.defaults)), *given.defaults]
    found = [_parameter(p, "positional", said, default) for p, default in zip(positional, defaults, strict=True)]
    if given.vararg is not None:
        found.append(_parameter(given.vararg, "*", said))
    for parameter, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append(_parameter(parameter, "keyword", said, default))
    if given.kwarg is not None:
        found.append(_parameter(given.kwarg, "**", said))
    return tuple(found)


def decorator_name(decorator: ast.expr) -> str | None:
    """The dotted name of a decorator, without the arguments of its call."""
    return dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator)


Annotations = dict[str, ast.expr]


def _annotations(parameters: ast.arguments) -> Annotations:
    """The annotations of parameters by name."""
    return {
        parameter.arg: parameter.annotation
        for parameter in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)
        if parameter.annotation is not None
    }


def _parameter(node: ast.arg, kind: str, said: Annotations, default: ast.expr | None = None) -> Parameter:
    return Parameter(node.arg, kind, node.annotation or said.get(node.arg), default)
