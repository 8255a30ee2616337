"""The tests on which it hangs whether a function trains: ``if train: loss.backward()``, ``if not train: return``."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence

from synclint.analysis.frequency.loops import Body, own_evidence, read_body, steps_beside_loops
from synclint.analysis.results.facts import Evidence
from synclint.analysis.syntax.walk import walk

_TRAINED = frozenset({Evidence.OPTIMIZER, Evidence.BACKWARD})


def training_switches(body: list[ast.stmt]) -> tuple[tuple[ast.expr, bool], ...]:
    """The tests of a body, with the outcome without which nothing in it steps an optimizer or runs a backward pass."""
    read = read_body(body)
    if steps_beside_loops(read) not in _TRAINED:
        return ()
    behind: dict[tuple[str, bool], list[tuple[ast.expr, list[ast.stmt]]]] = defaultdict(list)
    for node in walk(body):
        if isinstance(node, ast.If):
            for taken, suite in ((True, node.body), (False, node.orelse)):
                behind[ast.unparse(node.test), taken].append((node.test, suite))
    for index, statement in enumerate(body):
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return):
            behind[ast.unparse(statement.test), False].append((statement.test, body[index + 1 :]))
    return tuple(
        (branches[0][0], taken)
        for (_, taken), branches in behind.items()
        if _without(read, [suite for _, suite in branches]) not in _TRAINED
    )


def _without(read: Body, suites: Sequence[list[ast.stmt]]) -> Evidence:
    """What a body says of itself, some suites left out."""
    left_out = {id(part) for suite in suites for part in walk(suite)}
    return own_evidence(
        read._replace(own_calls=tuple(call for call in read.own_calls if id(call) not in left_out)), is_loop=False
    )
