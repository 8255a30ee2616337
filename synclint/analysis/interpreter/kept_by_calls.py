"""Branches that fill in what their test finds missing, or too small: themselves, or by a function that they call.

``if self.table is None: self.make_table()`` runs once, and ``if n > self.cached: self.grow(n)`` seldom, whatever their
names, since what was asked for is there afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain, takewhile

from synclint.analysis.domain.values import FunctionRecord, FunctionValue, Instance, Symbol, options
from synclint.analysis.interpreter.misses import assignments, is_miss, missing
from synclint.analysis.objects import classes
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk

_GREATER = (ast.Gt, ast.GtE)
_ORDERS = (*_GREATER, ast.Lt, ast.LtE)
_MOST_STEPS = 4
_MEASURES = frozenset({"size", "numel", "dim", "item", "__len__"})


def is_made_by_a_call(test: ast.expr, taken: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """Whether a suite calls a function that keeps what a test has found missing."""
    known = frame.engine.readings.missing
    key = (test, taken)
    if key not in known:
        known[key] = tuple(missing(test, taken, frame))
    paths = known[key]
    return bool(paths) and any(_is_kept(path, suite, frame) for path in paths)


def is_outgrown(test: ast.expr, taken: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """Whether a suite makes something as great as what a test has found to be greater than it."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return is_outgrown(test.operand, not taken, suite, frame)
    if isinstance(test, ast.BoolOp):
        grown = [is_outgrown(value, taken, suite, frame) for value in test.values]
        if isinstance(test.op, ast.And) is taken:  # all of the values have this outcome
            return any(grown)
        others = (value for value, is_grown in zip(test.values, grown, strict=True) if not is_grown)
        return any(grown) and all(is_miss(value, taken, suite, 0, frame) for value in others)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], _ORDERS):
        return False
    left, right = test.left, test.comparators[0]
    greater, less = (left, right) if isinstance(test.ops[0], _GREATER) is taken else (right, left)
    path = _measured_path(less, frame)
    names = {part.id for part in walk(greater) if isinstance(part, ast.Name)} - {_receiver(frame)}
    if path is None or not names:
        return False
    for targets, value in assignments(suite):
        if _mentions(value, names):
            if any(text == path or text.startswith(f"{path}[") for text in map(ast.unparse, targets)):
                return True
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return any(_mentions(call, names) and _keeps(record, path, frame) for call, record in _called(suite, frame))


def _receiver(frame: Frame) -> str | None:
    return frame.function.receiver if frame.function is not None else None


def _measured_path(node: ast.expr, frame: Frame, steps: int = _MOST_STEPS) -> str | None:
    """The attribute that a size is that of, or that holds what it is that of.

    That is ``self.buffers`` after ``buffer = self.buffers[key]; size = bytes_of(buffer)``.
    """
    node = _measured(node)
    path = dotted_name(node)
    if path is not None and "." in path:
        return path
    if isinstance(node, ast.Call) and len(node.args) == 1 and steps:
        return _measured_path(node.args[0], frame, steps - 1)
    if not isinstance(node, ast.Name) or frame.function is None or not steps:
        return None
    given = (one for one in frame.function.nodes.of(ast.Assign) if node.id in map(dotted_name, one.targets))
    first = min(given, key=lambda one: one.lineno, default=None)
    return _measured_path(first.value, frame, steps - 1) if first is not None else None


def _measured(node: ast.expr) -> ast.expr:
    """What a size is that of: ``self.table`` of ``self.table.size(0)``, ``len(self.table)``."""
    while True:
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr == "shape"):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MEASURES:
            node = node.func.value
        elif isinstance(node, ast.Call) and dotted_name(node.func) == "len" and len(node.args) == 1:
            node = node.args[0]
        else:
            return node


def _mentions(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in walk(node))


def _is_kept(path: str, suite: list[ast.stmt], frame: Frame) -> bool:
    return _keeps_itself(path, suite, frame) or any(
        _keeps(record, path, frame) or _keeps_in_argument(call, record, path) for call, record in _called(suite, frame)
    )


def _keeps_itself(path: str, suite: list[ast.stmt], frame: Frame) -> bool:
    """Whether a suite calls a method of another object that fills in what it lacks: ``context.prepare()``."""
    root, _, attribute = path.rpartition(".")
    if not root or root == _receiver(frame):
        return False
    for call in chain.from_iterable(_calls_in(statement, frame) for statement in suite):
        if not isinstance(call.func, ast.Attribute) or dotted_name(call.func.value) != root:
            continue
        for option in options(frame.engine.evaluate(call.func.value, frame)):
            owner = option.record if isinstance(option, Instance) else None
            method = classes.find_method(owner, call.func.attr) if owner is not None else None
            if method is not None and attribute in method.assigns_to_receiver:
                return True
    return False


def _keeps_in_argument(call: ast.Call, record: FunctionRecord, path: str) -> bool:
    """Whether a function gives a value to an attribute of an object that it is given: ``self.fill(entry)``."""
    root, _, attribute = path.rpartition(".")
    taken = [one.name for one in record.parameters if one.kind == "positional"]
    taken = taken[1:] if record.receiver is not None else taken
    placed = takewhile(lambda value: not isinstance(value, ast.Starred), call.args)
    given = [*zip(taken, placed, strict=False), *((one.arg, one.value) for one in call.keywords)]
    kept = attributes_given(record)
    return any((name, attribute) in kept for name, value in given if isinstance(value, ast.Name) and value.id == root)


@text_fact
def attributes_given(record: FunctionRecord) -> frozenset[tuple[str, str]]:
    """The attributes to which a function gives values, each with the parameter whose object has it."""
    parameters = {parameter.name for parameter in record.parameters}
    return frozenset(
        (node.value.id, node.attr)
        for node in record.nodes.of(ast.Attribute)
        if isinstance(node.ctx, ast.Store)
        if isinstance(node.value, ast.Name) and node.value.id in parameters
    )


def _keeps(record: FunctionRecord, path: str, frame: Frame) -> bool:
    """Whether a function gives a value to an attribute of the object whose method calls it, or to a global."""
    root, _, attribute = path.rpartition(".")
    if root:
        return root == _receiver(frame) and attribute in record.assigns_to_receiver
    return record.module is frame.module and path in _globals_given(record)


@text_fact
def _globals_given(record: FunctionRecord) -> frozenset[str]:
    """The names at the top of its module to which a function gives values."""
    return record.stored_names.intersection(name for node in record.nodes.of(ast.Global) for name in node.names)


def _called(suite: list[ast.stmt], frame: Frame) -> Iterator[tuple[ast.Call, FunctionRecord]]:
    """The methods of the same object, and the functions, that a suite calls."""
    owner = frame.function.owner if frame.function is not None else None
    for node in chain.from_iterable(_calls_in(statement, frame) for statement in suite):
        if isinstance(node.func, ast.Attribute) and owner is not None:
            method = classes.find_method(owner, node.func.attr)
            if method is not None and dotted_name(node.func.value) == _receiver(frame):
                yield node, method
        elif isinstance(node.func, ast.Name):
            function = frame.lookup(node.func.id)
            if isinstance(function, Symbol):
                function = frame.engine.resolve(function.name)
            if isinstance(function, FunctionValue):
                yield node, function.record


def _calls_in(statement: ast.stmt, frame: Frame) -> tuple[ast.Call, ...]:
    known = frame.engine.readings.calls
    if statement not in known:
        known[statement] = tuple([node for node in walk(statement) if isinstance(node, ast.Call)])
    return known[statement]
