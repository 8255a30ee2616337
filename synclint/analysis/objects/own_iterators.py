"""Objects of the project that something iterates over: what their ``__iter__``, ``__next__`` or ``__getitem__`` gives.

Source: Python's documentation, "Iterator Types" and ``object.__getitem__``.
"""

from __future__ import annotations

import ast

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.module_containers import modules_in
from synclint.analysis.domain.paces import COUNTED
from synclint.analysis.domain.values import FunctionValue, Instance, Sequence, Value, options
from synclint.analysis.objects import records
from synclint.analysis.objects.iteration import iterate
from synclint.analysis.state.frames import Frame, RunningLoop


def element_of(value: Value, node: ast.AST, frame: Frame, loop: ast.AST | None = None) -> Value:
    """What a ``loop`` over a value binds its target to; without a loop, one element is taken at a node."""
    return iterate(elements_of(value, node, frame, loop))


def elements_of(value: Value, node: ast.AST, frame: Frame, loop: ast.AST | None = None) -> Value:
    """What is gone through, with all that the project's objects give in the place of these."""
    iterator = iterator_of(value, node, frame, loop)
    if not _has_objects(iterator):
        return iterator
    return join_all(_drawn(option, node, frame, loop) for option in options(iterator))


def next_of(iterator: Value, node: ast.AST, frame: Frame) -> Value:
    """What ``next(iterator)`` gives."""
    return iterate(join_all(_drawn(option, node, frame, None) for option in options(iterator)))


def iterator_of(value: Value, node: ast.AST, frame: Frame, loop: ast.AST | None = None) -> Value:
    """What ``iter(value)`` gives, where that is told by the project's own objects; else the value itself."""
    if not _has_objects(value):
        return value
    return join_all(_iterator(option, node, frame, loop) for option in options(value))


def _has_objects(value: Value) -> bool:
    return any(isinstance(option, Instance) for option in options(value))


def _iterator(value: Value, node: ast.AST, frame: Frame, loop: ast.AST | None) -> Value:
    if not isinstance(value, Instance):
        return value
    if (wrapped := value.given("iterable")) is not None and value.record is None:
        return iterator_of(wrapped, node, frame, loop)
    method = _method(value, "__iter__", node, frame)
    if method is None:
        return value
    before, frame.iterated = frame.iterated, loop
    found = frame.engine.call_with(method, [], frame, node)
    frame.iterated = before
    return found


def _drawn(value: Value, node: ast.AST, frame: Frame, loop: ast.AST | None) -> Value:
    """What an iterator gives in the rounds of a loop; an object that only has rows gives one row after another."""
    if not isinstance(value, Instance):
        return value
    given: list[Value] = []
    method = _method(value, "__next__", node, frame)
    if method is None:
        method, given = _method(value, "__getitem__", node, frame), [COUNTED]
    if method is None:
        return value
    if loop is not None:
        frame.loops.append(RunningLoop(loop))
    element = frame.engine.call_with(method, given, frame, node)
    if loop is not None:
        frame.loops.pop()
    return Sequence("iterator", None, element)


def _method(instance: Instance, name: str, node: ast.AST, frame: Frame) -> FunctionValue | None:
    """A method of the project that an object has, but for those that hold modules, or what a record holds."""
    if instance.record is None or name not in instance.record.all_methods:
        return None
    if modules_in(instance) is not None or records.items_given(instance) is not None:
        return None
    found = frame.engine.attribute(instance, name, frame, node)
    return found if isinstance(found, FunctionValue) else None
