"""Where a model is put into evaluation mode and back into training mode, and what that says of the code between."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.frequency.texts import sets_mode
from synclint.analysis.state.frames import Frame
from synclint.analysis.state.readings import Modes
from synclint.analysis.syntax.walk import dotted_name, own_parts, suites, walk
from synclint.findings import Phase

_IN_EVALUATION = "runs in evaluation, after `{}`"
_MODE_ENDED = "the mode has been set again"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def follow_mode(statement: ast.stmt, frame: Frame) -> None:
    """Note ``model.eval()`` where the same function says ``model.train()`` as well: what is between them evaluates.

    Where a step does so each time, without going through anything, the code between is a part of that step.
    """
    if type(statement) is not ast.Expr or not isinstance(statement.value, ast.Call):
        return
    call = statement.value
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("eval", "train") or call.args:
        return
    model = dotted_name(call.func.value)
    if model is None:
        return
    reason = _IN_EVALUATION.format(f"{model}.eval()")
    if sets_mode(statement, "train"):
        for index, guard in enumerate(frame.guards):
            if guard.reason == reason:
                frame.guards[index] = guard._replace(runs=Phase.STEP, reason=_MODE_ENDED)
        return
    modes = _modes(frame)
    if model in modes.trained:
        frame.guard(Phase.EVAL, reason, is_mode=statement in modes.passing)


def _modes(frame: Frame) -> Modes:
    """The models that the function being run puts into training mode, and where it evaluates in passing."""
    node = frame.function.node if frame.function is not None else frame.module.tree
    known = frame.engine.readings.modes
    if node not in known:
        body = node.body if not isinstance(node, ast.Lambda) else []
        known[node] = Modes(frozenset(_trained(body)), frozenset(_passing(body)))
    return known[node]


def _trained(body: Iterable[ast.stmt]) -> Iterator[str]:
    for part in own_parts(body):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "train":
            yield dotted_name(part.func.value) or ""


def _passing(suite: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that set evaluation mode unconditionally, if nothing is gone through before it is set again."""
    for index, statement in enumerate(suite):
        if sets_mode(statement, "eval"):
            if not any(_goes_through(part) for one in _until_trained(suite[index + 1 :]) for part in walk(one)):
                yield statement
        elif isinstance(statement, (ast.With, ast.AsyncWith, ast.Try, *_LOOPS)):
            for inner in suites(statement):
                yield from _passing(inner)


def _goes_through(part: ast.AST) -> bool:
    """Whether something is a loop whose rounds differ: one that only repeats its body tries the same input again."""
    return isinstance(part, _LOOPS) and not (isinstance(part, ast.For) and _only_repeats(part))


def _only_repeats(loop: ast.For) -> bool:
    """Whether a loop counts rounds that neither use the count nor take the next of anything."""
    is_counted = isinstance(loop.iter, ast.Call) and dotted_name(loop.iter.func) == "range"
    if not is_counted or not isinstance(loop.target, ast.Name):
        return False
    read = {part.id for one in loop.body for part in walk(one) if isinstance(part, ast.Name)}
    return read.isdisjoint({loop.target.id, "next"})


def _until_trained(suite: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in suite:
        if sets_mode(statement, "train"):
            return
        yield statement
