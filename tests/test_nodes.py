"""What is asked of the nodes of a body, and of texts, reads each of them once."""

from __future__ import annotations

import ast
from collections import Counter

from synclint.analysis.program.assigned_attributes import assigned_attributes
from synclint.analysis.syntax.nodes import Nodes
from synclint.analysis.syntax.walk import walk

_SOURCE = """
def outer(first, *, second, third=1):
    global counted
    x = {**first, "key": [call(a) for a in second]}
    match x:
        case Point(x=0, y=None) | {"key": 1, **rest}:
            pass
    def inner(a=call()): return lambda b: f"{b!r:{a}}"
"""


def test_nodes_of_a_kind_keep_their_order() -> None:
    nodes = Nodes(walk(ast.parse(_SOURCE)))
    for kind in {type(node) for node in nodes}:
        assert [*nodes.of(kind)] == [node for node in nodes if type(node) is kind]
    assert [*nodes.of(ast.While)] == []


def test_a_walk_finds_whatever_can_hold_meaning() -> None:
    tree = ast.parse(_SOURCE)
    left_out = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
    found = Counter(map(id, walk(tree)))
    assert found == Counter(id(node) for node in ast.walk(tree) if not isinstance(node, left_out))


def test_attributes_are_assigned_by_the_class_above() -> None:
    source = "\n".join(
        [
            "self.top = 1",
            "class First:",
            "    self.a = self.b = 1",
            "    myself.c += 1",
            "    x = 1  # no class Third: here",
            "    self.a == 2",
            "  class Second: pass",
            "    self.b.d = 1",
            "    self.b |= 2",
        ]
    )
    assert assigned_attributes(source) == {
        ("", "top"): 1,
        ("First", "a"): 1,
        ("First", "b"): 1,
        ("", "c"): 1,
        ("", "d"): 1,
        ("Second", "b"): 1,
    }
