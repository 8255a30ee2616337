"""The mode of a model, as a function sets it: what stands between ``model.eval()`` and ``model.train()`` evaluates."""

from __future__ import annotations

import ast

from synclint.analysis.frequency.texts import sets_mode
from synclint.analysis.interpreter.misses import nodes_of
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name
from synclint.findings import Phase

_IN_EVALUATION = "runs in evaluation, after `{}`"
_MODE_ENDED = "the mode has been set again"


def follow_mode(statement: ast.stmt, frame: Frame) -> None:
    """Note ``model.eval()`` where the same function says ``model.train()`` as well: what is between them evaluates."""
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
    elif model in _trained(frame):
        frame.guard(Phase.EVAL, reason)


def _trained(frame: Frame) -> frozenset[str]:
    """The models that the function being run puts into training mode."""
    node = frame.function.node if frame.function is not None else frame.module.tree
    known = frame.engine.readings.trained
    if node not in known:
        known[node] = frozenset(
            dotted_name(call.func.value) or ""
            for call in nodes_of(frame)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "train"
        )
    return known[node]
