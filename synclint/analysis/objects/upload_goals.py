"""The tensors to whose devices a function brings what it has made: it takes these wherever they are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.syntax.arguments import argument_node


def brought_back_to(call: ast.Call) -> Iterator[str]:
    """The name of the tensor to whose device a call brings another one: ``y.to(x.device)``."""
    goal = argument_node(call) if isinstance(call.func, ast.Attribute) and call.func.attr == "to" else None
    if isinstance(goal, ast.Attribute) and goal.attr == "device" and isinstance(goal.value, ast.Name):
        yield goal.value.id


def goal_of(name: str) -> str:
    """What stands among names for the fact that something is brought to where the value of one of them is."""
    return f"{name}.device?"


def without_goals(names: frozenset[str]) -> frozenset[str]:
    """The names to whose values nothing is brought back."""
    return frozenset(name for name in names if goal_of(name) not in names)
