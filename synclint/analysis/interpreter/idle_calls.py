"""Calls of functions that train, with what makes them train nothing: ``step(model, batch, train=False)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from synclint.analysis.domain.selection import truth
from synclint.analysis.domain.values import FunctionRecord, Nothing, Value
from synclint.analysis.frequency.loops import may_train
from synclint.analysis.frequency.training_switches import training_switches
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.syntax.outcomes import outcome_by_parts
from synclint.analysis.syntax.walk import walk


class Switch(NamedTuple):
    """A test on which it hangs whether a function trains: with another outcome than ``trains`` it does not.

    ``asked`` are the names in it that have the values which calls give them, and no others.
    """

    test: ast.expr
    trains: bool
    asked: frozenset[str]


def is_idle(record: FunctionRecord, given: Mapping[str, Value]) -> bool:
    """Whether a function of which the text trains does not, by the values that its names are ``given``."""
    for test, trains, asked in switches_of(record):
        known = {name: value for name, value in given.items() if name in asked}
        if outcome_by_parts(test, partial(_known, known)) is (not trains):
            return True
    return False


@text_fact
def switches_of(record: FunctionRecord) -> tuple[Switch, ...]:
    """The tests on which it hangs whether a function trains."""
    if isinstance(record.node, ast.Lambda) or not record.nodes.of(ast.If) or not may_train(record.nodes.of(ast.Call)):
        return ()
    return tuple(
        Switch(test, trains, frozenset(_names_in(test)) - record.stored_names)
        for test, trains in training_switches(record.node.body)
    )


def _names_in(test: ast.expr) -> Iterator[str]:
    return (one.id for one in walk(test) if isinstance(one, ast.Name))


def _known(known: Mapping[str, Value], test: ast.expr) -> bool | None:
    """How a test of one name comes out, None where that is not known."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        compared = test.comparators[0]
        is_none = isinstance(compared, ast.Constant) and compared.value is None
        if not is_none or not isinstance(known.get(test.left.id), Nothing):
            return None
        return isinstance(test.ops[0], ast.Is)
    return truth(known[test.id]) if isinstance(test, ast.Name) and test.id in known else None
