"""What the body of a method does with the object that it is called on."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from synclint.analysis.syntax.walk import dotted_name, statements

_COPIES = frozenset({"copy", "deepcopy", "replace"})
_REGISTERS = frozenset({"register_buffer", "register_parameter", "add_state", "add_module", "register_module"})


def first_parameter(parameters: ast.arguments) -> str | None:
    """The name of the first parameter, of whatever kind."""
    ordered = (*parameters.posonlyargs, *parameters.args, parameters.vararg, *parameters.kwonlyargs, parameters.kwarg)
    return next((parameter.arg for parameter in ordered if parameter is not None), None)


def methods_called_on(receiver: str, calls: Iterable[ast.Call]) -> frozenset[str]:
    """The names of the methods that the calls in a body call on its receiver."""
    return frozenset(
        call.func.attr
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == receiver
    )


class SelfGiven(NamedTuple):
    """An attribute that is called on the receiver itself, and the keyword by which it gets that, None if by place."""

    attribute: str
    keyword: str | None


def calls_given_receiver(receiver: str, calls: Iterable[ast.Call]) -> Iterator[SelfGiven]:
    """The attributes of a receiver that a body calls on the receiver: ``self._target(self, **options)``."""
    for call in calls:
        if not isinstance(call.func, ast.Attribute):
            continue
        if not isinstance(call.func.value, ast.Name) or call.func.value.id != receiver:
            continue
        if call.args and _is_or_copies(call.args[0], receiver):
            yield SelfGiven(call.func.attr, None)
        for keyword in call.keywords:
            if keyword.arg is not None and _is_or_copies(keyword.value, receiver):
                yield SelfGiven(call.func.attr, keyword.arg)


def _is_or_copies(node: ast.expr, receiver: str) -> bool:
    """Whether an expression is the receiver, or a copy of it."""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        return (dotted_name(node.func) or "").rpartition(".")[2] in _COPIES and _is_or_copies(node.args[0], receiver)
    return isinstance(node, ast.Name) and node.id == receiver


def asked_by_name(receiver: str, body: list[ast.stmt]) -> tuple[str, str | None] | None:
    """The parameter that names an attribute, and the one for want of it: ``return getattr(self, key, default)``.

    None where a body does anything else as well.
    """
    has_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    match body[1:] if has_docstring else body:
        case [ast.Return(ast.Call(ast.Name("getattr"), [ast.Name(asked), ast.Name(name), *others], []))]:
            match others:
                case []:
                    return (name, None) if asked == receiver else None
                case [ast.Name(default)]:
                    return (name, default) if asked == receiver else None
    return None


def attributes_assigned_by(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The names of the attributes that a function assigns to its receiver, which only a method has: it is indented."""
    receiver = first_parameter(function.args) if function.col_offset else None
    return attributes_assigned_to(receiver, function.body) if receiver is not None else frozenset()


def attributes_assigned_to(receiver: str, body: list[ast.stmt]) -> frozenset[str]:
    """The names of the attributes that a body assigns to its receiver, or registers with it."""
    return frozenset(_assigned(receiver, body))


def _assigned(receiver: str, body: list[ast.stmt]) -> Iterator[str]:
    for statement in statements(body):
        if isinstance(statement, ast.Assign):
            yield from _attributes(receiver, statement.targets)
        elif isinstance(statement, (ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor)):
            yield from _attributes(receiver, [statement.target])
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            named = (item.optional_vars for item in statement.items)
            yield from _attributes(receiver, [target for target in named if target is not None])
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            yield from _registered(statement.value)


def _attributes(receiver: str, targets: Iterable[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == receiver:
            yield target.attr
        elif isinstance(target, (ast.Tuple, ast.List)):
            elements = (element.value if isinstance(element, ast.Starred) else element for element in target.elts)
            yield from _attributes(receiver, elements)


def _registered(call: ast.Call) -> Iterator[str]:
    """The names under which a call registers a buffer, a parameter, a state or a module."""
    name = dotted_name(call.func)
    if name and name.rpartition(".")[2] in _REGISTERS:
        named = [keyword.value for keyword in call.keywords if keyword.arg == "name"]
        for argument in [*call.args[:1], *named]:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value
