"""Modes of objects: flags that the constructor switches, and methods switch as a whole (``trainer.train()``)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name


def is_mode_by_default(node: ast.expr, value: bool, frame: Frame) -> bool:
    """Whether an attribute has a value from the beginning, until a method gives it another one whatever happens.

    A flag that is found out anew in each step is given something else than true or false, or only in some steps.
    """
    owner = frame.function.owner if frame.function is not None else None
    if owner is None or not isinstance(node, ast.Attribute) or dotted_name(node.value) != frame.function.receiver:  # type: ignore[union-attr]
        return False
    constructor = owner.all_methods.get("__init__")
    methods = [method for one in owner.ancestors for method in one.assigners.get(node.attr, ())]
    if constructor is None or not all(_switches(method, node.attr) for method in methods) or methods == [constructor]:
        return False
    begun = {constructor.name, *_calls_at_once(constructor)}
    return any(method.name in begun and value in _given(method, node.attr) for method in methods)


def _switches(method: FunctionRecord, name: str) -> bool:
    """Whether a method gives an attribute true or false, and does so whenever it is called."""
    path = f"{method.receiver}.{name}"
    stored = [node for node in method.nodes.of(ast.Attribute) if isinstance(node.ctx, ast.Store)]
    return len(list(_given(method, name))) == sum(dotted_name(node) == path for node in stored)


def _given(method: FunctionRecord, name: str) -> Iterator[bool]:
    path = f"{method.receiver}.{name}"
    for statement in _body(method):
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            if isinstance(statement.value.value, bool):
                yield from (statement.value.value for target in statement.targets if dotted_name(target) == path)


def _calls_at_once(method: FunctionRecord) -> Iterator[str]:
    """The methods of its object that a method calls whenever it is called."""
    for statement in _body(method):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            receiver, _, called = (dotted_name(statement.value.func) or "").rpartition(".")
            if receiver == method.receiver:
                yield called


def _body(method: FunctionRecord) -> list[ast.stmt]:
    return method.node.body if isinstance(method.node.body, list) else []
