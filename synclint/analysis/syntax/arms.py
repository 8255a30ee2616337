"""Which of the calls in a body are never made in one run: those in different branches of one test."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from synclint.analysis.syntax.walk import walk

# What stands after it in its suite is not reached.
_ENDS = (ast.Return, ast.Raise)
_Suite = tuple[list[ast.stmt], tuple[str, ...]]


def arms_of_calls(body: list[ast.stmt]) -> Mapping[ast.AST, tuple[str, ...]]:
    """The branches in which the calls of a body stand: the numbers of tests, with the outcomes that lead there.

    What follows a branch that ends with ``return`` is the other branch of its test. Each round of a loop may take
    another branch: what stands in a loop stands where the loop does.
    """
    found: dict[ast.AST, tuple[str, ...]] = {}
    waiting: list[_Suite] = [(body, ())]
    tests = 0
    while waiting:
        statements, arms = waiting.pop()
        for statement in statements:
            here = arms
            if isinstance(statement, ast.If):
                taken, left = (*arms, f"{tests}+"), (*arms, f"{tests}-")
                tests += 1
                waiting += (statement.body, taken), (statement.orelse, left)
                if isinstance(statement.body[-1], _ENDS):
                    arms = left
                elif statement.orelse and isinstance(statement.orelse[-1], _ENDS):
                    arms = taken
            else:
                waiting += ((suite, arms) for suite in _suites(statement))
            found.update((call, here) for call in _calls_beside_suites(statement))
    return found


def are_apart(first: Collection[str], second: Collection[str]) -> bool:
    """Whether different outcomes of one test lead to two places."""
    return any(f"{arm[:-1]}{'-' if arm.endswith('+') else '+'}" in second for arm in first)


def _suites(statement: ast.stmt) -> tuple[list[ast.stmt], ...]:
    """The suites of a statement each of which runs once at most."""
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return (statement.body,)
    if isinstance(statement, ast.Try):
        handlers = (one.body for one in statement.handlers)
        return (statement.body, *handlers, statement.orelse, statement.finalbody)
    return ()


def _calls_beside_suites(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a statement that stand in none of the suites that are looked at by themselves."""
    parts: list[ast.AST] = [statement]
    if isinstance(statement, ast.If):
        parts = [statement.test]
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        parts = [*statement.items]
    elif isinstance(statement, ast.Try):
        parts = []
    for part in parts:
        yield from (node for node in walk(part) if isinstance(node, ast.Call))
