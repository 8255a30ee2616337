"""Calls of which no run makes both: what stands in different branches of one test."""

from __future__ import annotations

import ast
from itertools import combinations

import pytest

from synclint.analysis.syntax.arms import are_apart, arms_of_calls

_APART = {
    "if a: one()\nelse: two()": {"one two"},
    "if a: one()\nelif b: two()\nelse: three()": {"one two", "one three", "two three"},
    "if a:\n    one()\n    return\ntwo()": {"one two"},
    "if a:\n    with b: one()\nelse:\n    try: two()\n    finally: three()": {"one two", "one three"},
    "if a: one()\nif b: two()": set(),
    "if a: one()\ntwo()": set(),
    "if one(): two()\nelse: pass": set(),
    "for x in y:\n    if a: one()\n    else: two()": set(),
}


@pytest.mark.parametrize("text", _APART)
def test_calls_in_different_branches_of_a_test_are_apart(text: str) -> None:
    arms = {call.func.id: found for call, found in arms_of_calls(ast.parse(text).body).items()}  # type: ignore[attr-defined]
    apart = {f"{first} {second}" for first, second in combinations(arms, 2) if are_apart(arms[first], arms[second])}
    order = ["one", "two", "three"]
    assert {" ".join(sorted(pair.split(), key=order.index)) for pair in apart} == _APART[text]


def test_chains_of_branches_may_be_long() -> None:
    chain = ast.parse("if a: one()\nelse: two()").body
    for _ in range(5000):
        chain = [ast.If(ast.Name("a"), [ast.Pass()], chain)]
    one, two = arms_of_calls(chain).values()
    assert are_apart(one, two)
