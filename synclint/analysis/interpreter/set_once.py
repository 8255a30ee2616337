"""Branches that are taken in one round of a loop only, since they set what they ask for."""

from __future__ import annotations

import ast

from synclint.analysis.frequency.loops import LOOPS
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, is_none, walk


def is_set_once(name: str, value: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """``if not shown: ...; shown = True``: whether a branch sets a flag that nothing in the loop takes back.

    What the round sets whether the branch is taken or not, does as well: ``if is_first: ...`` and ``is_first = False``.
    """
    loop = frame.loops[-1].node if frame.loops else None
    if not isinstance(loop, LOOPS) or not (_sets(name, suite, value) or _sets(name, _in_each_round(loop.body), value)):
        return False
    given = [node for node in walk(loop.body) if isinstance(node, ast.Name) and node.id == name]
    return sum(isinstance(node.ctx, ast.Store) for node in given) == 1


def is_given_once(test: ast.Compare, taken: bool, suite: list[ast.stmt], frame: Frame) -> bool:
    """``if first is None: first = x``: whether a branch fills in what nothing in the loop makes None again."""
    loop = frame.loops[-1].node if frame.loops else None
    name, operator, other = test.left, test.ops[0], test.comparators[0]
    if not isinstance(loop, LOOPS) or not isinstance(name, ast.Name) or not is_none(other):
        return False
    if not isinstance(operator, ast.Is if taken else ast.IsNot):
        return False
    if not _filled(name.id, suite):
        return False
    stored = {
        node
        for node in walk(loop)
        if isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Store)
    }
    return stored <= _filled(name.id, loop.body)


def _filled(name: str, suite: list[ast.stmt]) -> set[ast.expr]:
    """Where a suite gives a name something else than None."""
    assigned = [node for node in walk(suite) if isinstance(node, ast.Assign) and not is_none(node.value)]
    return {target for node in assigned for target in node.targets if dotted_name(target) == name}


def _in_each_round(suite: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a loop's body that do not stand under a condition."""
    within = [statement.body for statement in suite if isinstance(statement, (ast.With, ast.AsyncWith, ast.Try))]
    return [*suite, *(statement for body in within for statement in _in_each_round(body))]


def _sets(name: str, suite: list[ast.stmt], value: bool) -> bool:
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and node.value.value is value
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
        for node in suite
    )
