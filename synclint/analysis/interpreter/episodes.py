"""The ends of episodes: what an environment says of each step, and what holds only where one has ended.

A step in an environment of Gym gives an observation, a reward, whether the episode has ended, and what else is known;
in newer releases the end has two forms, of which the second is that time is up (``gymnasium.Env.step``). An episode has
many steps, so that what is done at its end is done in few of them.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from synclint.analysis.frequency.loops import LOOPS, acts
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.nodes import Nodes
from synclint.analysis.syntax.walk import dotted_name, walk

# Which of so many results say that the episode has ended.
_ENDS = {4: slice(2, 3), 5: slice(2, 4)}
# What leaves it true in the same steps: functions of two ends or of one, and methods of one.
_FUNCTIONS = frozenset({"logical_or", "bitwise_or", "any", "bool", "array", "asarray", "tensor", "as_tensor", "Tensor"})
_METHODS = frozenset({"any", "all", "item", "to", "cpu", "numpy", "bool", "astype", "copy", "clone", "tolist"})


def ends_an_episode(test: ast.expr, frame: Frame) -> bool:
    """Whether a test is true only in steps at which an episode has ended: ``if done:``, ``if dones.any():``."""
    place = frame.function.node if frame.function is not None else frame.loops[0].node if frame.loops else None
    if place is None:
        return False
    known = frame.engine.readings.ends
    if place not in known:
        nodes = frame.function.nodes if frame.function is not None else Nodes(walk(place))
        known[place] = _ends_in(nodes)
    ends = known[place]
    return bool(ends) and _tells(test, ends)


def _ends_in(nodes: Nodes) -> frozenset[str]:
    """The names and attributes that are true where an episode has ended."""
    found = {path for node in nodes.of(ast.Assign) for path in _said_by_step(node)}
    given = [pair for node in nodes for pair in _given(node)] if found else []
    while more := {path for path, value in given if _tells(value, found)} - found:
        found |= more
    return frozenset(found)


def _said_by_step(node: ast.Assign) -> Iterator[str]:
    if isinstance(node.targets[0], ast.Tuple) and acts(node):
        results = node.targets[0].elts
        for one in results[_ENDS.get(len(results), slice(0))]:
            if (path := dotted_name(one)) is not None:
                yield path


def _given(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives something, each with what it, or an item of it, becomes."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    if isinstance(node, ast.Assign):
        pairs = [(target, node.value) for target in node.targets]
    elif isinstance(node, LOOPS) and not isinstance(node, ast.While):
        pairs = [*_items(node.target, node.iter)]
    for target, value in pairs:
        if (path := dotted_name(target)) is not None:
            yield path, value


def _items(target: ast.expr, source: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What each round of a loop gives items of: ``for i, done in enumerate(dones)``, and the same of ``zip``."""
    if not isinstance(target, ast.Tuple):
        yield target, source
    elif isinstance(source, ast.Call) and source.args:
        called = dotted_name(source.func)
        if called == "enumerate" and len(target.elts) == 2:
            yield from _items(target.elts[1], source.args[0])
        elif called == "zip":
            yield from zip(target.elts, source.args, strict=False)


def _tells(value: ast.expr, ends: Collection[str]) -> bool:
    """Whether a value, or an item of it, is true only where one of the ``ends`` is."""
    if isinstance(value, ast.Subscript):
        return _tells(value.value, ends)
    if isinstance(value, ast.BoolOp):
        return isinstance(value.op, ast.Or) and all(_tells(one, ends) for one in value.values)
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.BitOr) and _tells(value.left, ends) and _tells(value.right, ends)
    if not isinstance(value, ast.Call):
        return dotted_name(value) in ends
    if isinstance(value.func, ast.Attribute) and value.func.attr in _METHODS and _tells(value.func.value, ends):
        return True
    name = (dotted_name(value.func) or "").rpartition(".")[2]
    return name in _FUNCTIONS and bool(value.args) and all(_tells(one, ends) for one in value.args)
