"""Branches that few rounds of a loop over keys take: ``for key in inputs: if key == "image": ...``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synclint.analysis.domain.values import Mapping, options
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import dotted_name

_MOST_KEYS = 3
_KEEPING_THE_KEYS = frozenset({"list", "tuple", "sorted", "reversed", "set"})


def round_meant(test: ast.expr, taken: bool, frame: Frame) -> int:
    """The loop over the keys of a dictionary of which a test asks for one, or for some that are written out.

    Loops are counted from the outside in, beginning with one; zero where it asks for none.
    """
    if not frame.loops:
        return 0
    asked = set(_asked_for(test, taken))
    for index in range(len(frame.loops), 0, -1) if asked else ():
        loop = frame.loops[index - 1].node
        if (
            isinstance(loop, (ast.For, ast.AsyncFor))
            and _key_of(loop) in asked
            and _goes_through_keys(loop.iter, frame)
        ):
            return index
    return 0


def _asked_for(test: ast.expr, taken: bool) -> Iterator[str]:
    """The names that have one of a few values, texts that are written out, where a test comes out so."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _asked_for(test.operand, not taken)
    elif isinstance(test, ast.BoolOp):
        found = [set(_asked_for(value, taken)) for value in test.values]
        yield from set.union(*found) if isinstance(test.op, ast.And) is taken else set.intersection(*found)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.left, ast.Name):
        other = test.comparators[0]
        if isinstance(test.ops[0], ast.Eq if taken else ast.NotEq):
            is_asked = _is_text(other)
        else:
            few = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else []
            is_asked = isinstance(test.ops[0], ast.In if taken else ast.NotIn) and 0 < len(few) <= _MOST_KEYS
            is_asked = is_asked and all(map(_is_text, few))
        if is_asked:
            yield test.left.id


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _key_of(loop: ast.For | ast.AsyncFor) -> str | None:
    """The name that a loop gives the key of each round: the first of two, or the only one."""
    target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) and loop.target.elts else loop.target
    return dotted_name(target)


def _goes_through_keys(node: ast.expr, frame: Frame) -> bool:
    """Whether a loop goes through keys, each of which comes once: of a dictionary, or of what is given by name."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and dotted_name(node.func) in _KEEPING_THE_KEYS:
        return _goes_through_keys(node.args[0], frame)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items"):
        node = node.func.value
    frame.muted += 1
    value = frame.evaluate(node)
    frame.muted -= 1
    return any(isinstance(option, Mapping) for option in options(value))
