"""Calls of functions that train, with what makes them train nothing: ``step(model, batch, train=False)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.values import FunctionRecord, Nothing, Value
from synclint.analysis.frequency.loops import may_train
from synclint.analysis.frequency.training_switches import training_switches
from synclint.analysis.state.readings import Readings
from synclint.analysis.syntax.outcomes import outcome_by_parts


def is_idle(record: FunctionRecord, given: Mapping[str, Value], readings: Readings) -> bool:
    """Whether a function of which the text trains does not, by the values that its names are ``given``."""
    known = {name: value for name, value in given.items() if name not in record.stored_names}
    return any(
        outcome_by_parts(test, lambda part: _known(part, known)) is (not taken)
        for test, taken in switches_of(record, readings)
    )


def switches_of(record: FunctionRecord, readings: Readings) -> tuple[tuple[ast.expr, bool], ...]:
    """The tests on which it hangs whether a function trains, each with the outcome without which it does not."""
    if isinstance(record.node, ast.Lambda):
        return ()
    if record.node not in readings.switches:
        may_hang = bool(record.nodes.of(ast.If)) and may_train(record.nodes.of(ast.Call))
        readings.switches[record.node] = training_switches(record.node.body) if may_hang else ()
    return readings.switches[record.node]


def _known(test: ast.expr, known: Mapping[str, Value]) -> bool | None:
    """How a test of one name comes out, None where that is not known."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        compared = test.comparators[0]
        is_none = isinstance(compared, ast.Constant) and compared.value is None
        if not is_none or not isinstance(known.get(test.left.id), Nothing):
            return None
        return isinstance(test.ops[0], ast.Is)
    return truth(known[test.id]) if isinstance(test, ast.Name) and test.id in known else None
