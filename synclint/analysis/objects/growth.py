"""Containers whose lengths count rounds: those into which the rounds of a loop, or the calls of a method, put more."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name, walk

# Of the methods of lists, sets and deques those that put one thing in, which a round of a loop does once.
_ADDING = frozenset({"append", "add", "appendleft"})


def grows(path: str, frame: Frame) -> bool:
    """Whether a name or attribute holds a container that has one item more in each round, or after each call."""
    if frame.loops and path in _added_to(frame.loops[-1].node, frame):
        return True
    return "." in path and frame.function is not None and path in _added_to(frame.function.node, frame)


def _added_to(around: ast.AST, frame: Frame) -> frozenset[str]:
    """The names and attributes of the containers into which a loop or a function puts items."""
    known = frame.engine.readings.growing
    if around not in known:
        known[around] = frozenset(_containers(walk(around)))
    return known[around]


def _containers(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING:
            if (path := dotted_name(node.func.value)) is not None:
                yield path
