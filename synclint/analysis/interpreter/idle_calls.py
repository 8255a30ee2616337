"""Calls of functions that train, with what makes them train nothing: ``step(model, batch, train=False)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.values import FunctionRecord, Nothing, Value
from synclint.analysis.frequency.training_switches import training_switches
from synclint.analysis.state.readings import Readings


def is_idle(record: FunctionRecord, given: Mapping[str, Value], readings: Readings) -> bool:
    """Whether a function of which the text trains does not, by the values that its names are ``given``."""
    known = {name: value for name, value in given.items() if name not in record.stored_names}
    return any(_outcome(test, known) is (not taken) for test, taken in switches_of(record, readings))


def switches_of(record: FunctionRecord, readings: Readings) -> tuple[tuple[ast.expr, bool], ...]:
    """The tests on which it hangs whether a function trains, each with the outcome without which it does not."""
    if isinstance(record.node, ast.Lambda):
        return ()
    if record.node not in readings.switches:
        readings.switches[record.node] = training_switches(record.node.body)
    return readings.switches[record.node]


def _outcome(test: ast.expr, known: Mapping[str, Value]) -> bool | None:
    """How a test comes out, None where that is not known."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _outcome(test.operand, known)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        outcomes = [_outcome(value, known) for value in test.values]
        deciding = isinstance(test.op, ast.Or)
        if deciding in outcomes:
            return deciding
        return None if None in outcomes else not deciding
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        compared = test.comparators[0]
        is_none = isinstance(compared, ast.Constant) and compared.value is None
        if not is_none or not isinstance(known.get(test.left.id), Nothing):
            return None
        return isinstance(test.ops[0], ast.Is)
    return truth(known[test.id]) if isinstance(test, ast.Name) and test.id in known else None
