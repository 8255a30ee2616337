"""Comprehensions on abstract values."""

from __future__ import annotations

import ast

from synclint.analysis.annotations.batch_names import names_a_device
from synclint.analysis.domain.containers import as_part, keys_of
from synclint.analysis.domain.values import (
    NEVER,
    UNKNOWN,
    Mapping,
    Sequence,
    Tensor,
    Text,
    Value,
    is_known,
)
from synclint.analysis.interpreter import guards
from synclint.analysis.interpreter.narrowing import narrowed
from synclint.analysis.interpreter.truth import test
from synclint.analysis.interpreter.unpacking import bind_target
from synclint.analysis.objects.batches import element_or_key
from synclint.analysis.objects.own_iterators import element_of
from synclint.analysis.state.frames import Frame, RunningLoop
from synclint.analysis.syntax.walk import walk
from synclint.findings import Confidence


def evaluate_comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: Frame) -> Value:
    kind = {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "generator")
    kept, muted = frame.scope, frame.muted
    frame.scope = dict(kept)
    iterable = _clauses(node.generators, (node.elt,), frame)
    element = as_part(frame.evaluate(node.elt))
    _leave_clauses(node.generators, frame)
    frame.scope, frame.muted = kept, muted
    if isinstance(iterable, Sequence) and iterable.items is not None and len(iterable.items) <= 4:
        return Sequence(kind, (element,) * len(iterable.items))
    return Sequence(kind, None, element)


def evaluate_dict_comprehension(node: ast.DictComp, frame: Frame) -> Value:
    kept, muted = frame.scope, frame.muted
    frame.scope = dict(kept)
    iterable = _clauses(node.generators, (node.key, node.value), frame)
    frame.evaluate(node.key)
    element = as_part(_brought(node, frame.evaluate(node.value)))
    _leave_clauses(node.generators, frame)
    entries = _keyed(node, iterable, frame)
    frame.scope, frame.muted = kept, muted
    return Mapping(entries, NEVER if entries else element)


def _brought(node: ast.DictComp, value: Value) -> Value:
    """What stands in ``{key: part.to(device) for key, part in batch.items()}``: tensors, if nothing else is known."""
    call = node.value
    if is_known(value) or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return value
    moved, targets = call.func.value, [part for clause in node.generators for part in walk(clause.target)]
    is_part = isinstance(moved, ast.Name) and any(isinstance(x, ast.Name) and x.id == moved.id for x in targets)
    is_moved = is_part and call.func.attr in ("to", "cuda") and names_a_device(call)
    return Tensor(trust=Confidence.MEDIUM) if is_moved else value


def _keyed(node: ast.DictComp, iterable: Value | None, frame: Frame) -> tuple[tuple[str, Value], ...]:
    """The entries of ``{key: f(known[key]) for key in known}``; empty where not every key is known."""
    if isinstance(iterable, Mapping):
        iterable = keys_of(iterable)
    if not isinstance(iterable, Sequence) or not iterable.items or _holds_dict_comprehension(node):
        return ()
    entries: dict[str, Value] = {}
    frame.muted += 1
    for item in iterable.items:
        bind_target(node.generators[0].target, item, frame)
        key = frame.evaluate(node.key)
        if not isinstance(key, Text) or key.literal is None:
            entries.clear()
            break
        entries[key.literal] = as_part(frame.evaluate(node.value))
    frame.muted -= 1
    return tuple(entries.items())


def _holds_dict_comprehension(node: ast.DictComp) -> bool:
    """Whether there is another one in it: they would be evaluated more often by a factor for each level of nesting."""
    return any(isinstance(inner, ast.DictComp) for part in (node.key, node.value) for inner in walk(part))


def _clauses(clauses: list[ast.comprehension], made: tuple[ast.expr, ...], frame: Frame) -> Value | None:
    """Bind the targets of a comprehension; what it goes through if it takes each of its elements once."""
    iterable: Value = UNKNOWN
    for clause in clauses:
        iterable = frame.evaluate(clause.iter)
        element = element_or_key(element_of(iterable, clause.iter, frame, clause), iterable, clause, made)
        frame.loops.append(RunningLoop(clause))
        bind_target(clause.target, element, frame)
        for condition in clause.ifs:
            test(condition, frame)
            narrowed(condition, frame, True)
            if said := guards.of_test(condition, True, frame):
                frame.guard(*said)
    return iterable if len(clauses) == 1 and not clauses[0].ifs else None


def _leave_clauses(clauses: list[ast.comprehension], frame: Frame) -> None:
    del frame.loops[-len(clauses) :]
    while frame.guards and frame.guards[-1].loops > len(frame.loops):
        frame.guards.pop()
