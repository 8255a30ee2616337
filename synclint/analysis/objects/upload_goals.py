"""Where what a function brings somewhere goes: to the device, or to where a tensor is, wherever that is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.annotations.batch_names import names_a_device
from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.program.text_facts import text_fact
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name, walk

UPLOADING = frozenset({"to", "cuda"})


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


@text_fact
def computes_there(record: FunctionRecord) -> bool:
    """Whether a function calls something with what it brings to the device."""
    return any(map(is_given_what_is_brought, record.nodes.of(ast.Call)))


def is_given_what_is_brought(call: ast.Call) -> bool:
    """Whether a call is ``compute(x.cuda())``, or ``model(x.to(model.device))``: what it gives is on the device."""
    called = dotted_name(call.func)
    for given in (*call.args, *(keyword.value for keyword in call.keywords)):
        for part in walk(given):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in UPLOADING:
                goal = argument_node(part)
                path = dotted_name(goal) if goal is not None else None
                if names_a_device(part) or (called is not None and path == f"{called}.device"):
                    return True
    return False
