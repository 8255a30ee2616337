"""Registries that decorators fill: ``@register("name")`` puts a function or a class where a program looks for it.

What a decorator of the project does with what it decorates is told by its text: it stores it under a key, appends it,
or hands it to another method of its object that does. The container then holds it, under the key where that is known.
So it does where the top of a module calls such a function: ``register("name", function)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass
from typing import NamedTuple

from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.containers import filled
from synclint.analysis.domain.values import (
    NEVER,
    ClassValue,
    FunctionRecord,
    FunctionValue,
    Instance,
    Mapping,
    Sequence,
    Symbol,
    Text,
    Value,
    options,
)
from synclint.analysis.objects import attributes, classes
from synclint.analysis.program.modules import FunctionNode
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, statements

_ADDING = frozenset({"append", "add"})
# A method that registers may leave it to another one.
_DEEPEST = 3


class _Storing(NamedTuple):
    """What a function does with what it is given at some positions.

    It puts it into the containers at these paths, under these keys (``stored``), and gives it to the methods of its
    object by these names, at these positions (``handed_on``).
    """

    stored: tuple[tuple[int, str, ast.expr | None], ...]
    handed_on: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True)
class _Registrar:
    """A function that is given what it may store: what it does, the function of the project that it is or stands in.

    ``given`` is what is known of the names around it, ``receiver`` the object whose method it is or stands in.
    """

    storing: _Storing
    function: FunctionRecord
    given: MappingOf[str, Value]
    receiver: Instance | None


def note_registered(value: FunctionValue | ClassValue, decorator: ast.expr, made: Value, frame: Frame) -> None:
    """Let containers hold a function or a class that a decorator, which has been evaluated, puts into them."""
    if frame.module.is_test:
        return
    for registrar in _registrars(decorator, made, frame):
        _follow(value, registrar, 0, frame, 0)


def note_given(call: ast.Call, frame: Frame) -> None:
    """Let containers hold the functions and classes that a call at the top of a module, which has been made, gives."""
    given = [(at, node) for at, node in enumerate(call.args) if isinstance(node, (ast.Name, ast.Attribute))]
    if frame.function is not None or frame.module.is_test or not given:
        return
    if not isinstance(call.func, (ast.Name, ast.Attribute)):
        return
    for one in options(_resolved(call.func, frame)):
        storing = _storing(one.record) if isinstance(one, FunctionValue) else None
        if not isinstance(one, FunctionValue) or storing is None:
            continue
        registrar = _Registrar(storing, one.record, _literals(call, one.record), _object_of(one))
        for at, node in given:
            for option in options(_resolved(node, frame)):
                if isinstance(option, (FunctionValue, ClassValue)):
                    _follow(option, registrar, at, frame, 0)


def _resolved(node: ast.expr, frame: Frame) -> Value:
    value = frame.evaluate(node)
    return frame.engine.resolve(value.name) if isinstance(value, Symbol) else value


@text_fact
def _storing(record: FunctionRecord) -> _Storing | None:
    """What a function that is no lambda does with what it is given."""
    return None if isinstance(record.node, ast.Lambda) else _storing_in(record.node, _positional(record))


@text_fact
def _storing_within(record: FunctionRecord) -> _Storing | None:
    """What the function within another one that it returns does with what it is given."""
    body = [] if isinstance(record.node, ast.Lambda) else record.node.body
    returned = {
        statement.value.id
        for statement in statements(body)
        if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Name)
    }
    inner = next((one for one in statements(body) if isinstance(one, ast.FunctionDef) and one.name in returned), None)
    return None if inner is None else _storing_in(inner, [one.arg for one in inner.args.args])


def _storing_in(node: FunctionNode, taken: list[str]) -> _Storing:
    return _Storing(
        tuple((at, *where) for at, name in enumerate(taken) for where in _stored(node, name)),
        tuple((at, *to) for at, name in enumerate(taken) for to in _handed_on(node, name)),
    )


def _registrars(decorator: ast.expr, made: Value, frame: Frame) -> Iterator[_Registrar]:
    """The functions that a decorator may be; a call of one that is not followed gives the function that it returns."""
    found = [option for option in options(made) if isinstance(option, FunctionValue)]
    for one in found:
        if (storing := _storing(one.record)) is not None:
            yield _Registrar(storing, one.record, one.scope or {}, _object_of(one))
    if found or not isinstance(decorator, ast.Call):
        return
    for option in options(frame.evaluate(decorator.func)):
        storing = _storing_within(option.record) if isinstance(option, FunctionValue) else None
        if isinstance(option, FunctionValue) and storing is not None:
            yield _Registrar(storing, option.record, _literals(decorator, option.record), _object_of(option))


def _literals(call: ast.Call, record: FunctionRecord) -> dict[str, Value]:
    """The texts that a call gives for the parameters of a function."""
    names = _positional(record)
    given = {**dict(zip(names, call.args, strict=False)), **{one.arg: one.value for one in call.keywords if one.arg}}
    return {
        name: Text(node.value)
        for name, node in given.items()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _positional(record: FunctionRecord) -> list[str]:
    """The names of the parameters of a function that are given by position, without the receiver."""
    names = [parameter.name for parameter in record.parameters if parameter.kind == "positional"]
    return names[record.receiver is not None :]


def _follow(value: FunctionValue | ClassValue, registrar: _Registrar, at: int, frame: Frame, depth: int) -> None:
    """Follow what a function does with the argument that it is given at a position."""
    for _, container, key in (one for one in registrar.storing.stored if one[0] == at):
        _put(value, registrar, container, key, frame)
    owner = registrar.receiver
    if owner is None or owner.record is None or depth == _DEEPEST:
        return
    for _, name, position in (one for one in registrar.storing.handed_on if one[0] == at):
        method = classes.find_method(owner.record, name)
        storing = _storing(method) if method is not None and method is not registrar.function else None
        if method is not None and storing is not None:
            _follow(value, _Registrar(storing, method, {}, owner), position, frame, depth + 1)


def _stored(node: ast.stmt, name: str) -> Iterator[tuple[str, ast.expr | None]]:
    """The containers, by their paths, into which a function puts what stands under a name, and under which keys."""
    for statement in statements([node]):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name) and statement.value.id == name:
            for target in statement.targets:
                if isinstance(target, ast.Subscript) and (path := dotted_name(target.value)) is not None:
                    yield path, target.slice
        elif isinstance(statement, ast.Expr) and _is_given(call := statement.value, name):
            assert isinstance(call, ast.Call)
            if isinstance(call.func, ast.Attribute) and call.func.attr in _ADDING:
                if (path := dotted_name(call.func.value)) is not None:
                    yield path, None


def _handed_on(node: ast.stmt, name: str) -> Iterator[tuple[str, int]]:
    """The methods of an object that a function gives what stands under a name, and at which position."""
    for statement in statements([node]):
        if isinstance(statement, ast.Expr) and _is_given(call := statement.value, name):
            assert isinstance(call, ast.Call)
            if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
                given = [isinstance(one, ast.Name) and one.id == name for one in call.args]
                if any(given):
                    yield call.func.attr, given.index(True)


def _is_given(call: ast.expr, name: str) -> bool:
    return isinstance(call, ast.Call) and any(isinstance(one, ast.Name) and one.id == name for one in call.args)


def _method_around(record: FunctionRecord) -> FunctionRecord | None:
    """The method that a function is, or in which it stands."""
    around: FunctionRecord | None = record
    while around is not None and around.owner is None:
        around = around.parent
    return around


def _object_of(function: FunctionValue) -> Instance | None:
    """The object whose method a function is, or in whose method it stands."""
    if isinstance(function.receiver, Instance):
        return function.receiver
    around = _method_around(function.record)
    return instance_of(around.owner) if around is not None and around.owner is not None else None


def _put(
    value: FunctionValue | ClassValue, registrar: _Registrar, path: str, key: ast.expr | None, frame: Frame
) -> None:
    module, around = registrar.function.module, _method_around(registrar.function)
    frame.engine.note_filled(module)
    root, _, attribute = path.partition(".")
    is_local = root in registrar.given or any(parameter.name == root for parameter in registrar.function.parameters)
    held = _holding(value, registrar, key)
    if attribute and around is not None and root == around.receiver and "." not in attribute:
        if around.is_class_method and around.owner is not None:
            around.owner.scope[attribute] = filled(around.owner.scope.get(attribute), held)
        elif registrar.receiver is not None:
            attributes.hold(registrar.receiver, attribute, held, frame)
    elif not attribute and not is_local:
        if module is frame.module and frame.function is None:
            frame.know(root, filled(frame.scope.get(root), held))
        elif root in module.scope:
            frame.engine.fill(module, root, held)


def _holding(value: FunctionValue | ClassValue, registrar: _Registrar, key: ast.expr | None) -> Mapping | Sequence:
    """A container with nothing but this value, under its key where that is known."""
    if key is None:
        return Sequence("list", None, value)
    name = _literal(key, value, registrar)
    return Mapping((), value) if name is None else Mapping(((name, value),), NEVER)


def _literal(key: ast.expr, value: FunctionValue | ClassValue, registrar: _Registrar) -> str | None:
    """The key under which something is stored, as far as the call that made the decorator tells it."""
    if isinstance(key, ast.BoolOp) and isinstance(key.op, ast.Or):
        return next((said for one in key.values if (said := _literal(one, value, registrar)) is not None), None)
    if isinstance(key, ast.Attribute):
        return value.record.name if key.attr == "__name__" else None
    if isinstance(key, ast.Constant):
        return key.value if isinstance(key.value, str) else None
    given = registrar.given.get(key.id) if isinstance(key, ast.Name) else None
    return given.literal if isinstance(given, Text) else None
