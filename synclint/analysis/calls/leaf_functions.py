"""Functions that call what they are given on each leaf of a tree: ``tree_map(to_device, batch)``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from synclint.analysis.domain.lattice import join
from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    UNKNOWN,
    Alternatives,
    Mapping,
    Never,
    Sequence,
    Value,
)
from synclint.analysis.state.frames import Arguments, Frame
from synclint.catalog.names import facts_of

# By their names, where they take the function and the tree: positions from the left.
_PARAMETERS = facts_of("called", "leaf-by-leaf")


def calls_leaf_by_leaf(name: str) -> bool:
    """Whether a function of a library does so."""
    return name in _PARAMETERS


def mapped(name: str, arguments: Arguments, node: ast.Call, frame: Frame) -> Value:
    """What such a function returns: a tree of the same kind, of what the function that it is given makes of leaves."""
    function, tree = (_given(arguments, *parameter) for parameter in _PARAMETERS[name])
    if function is None or tree is None:
        return UNKNOWN
    known: dict[Value, Value] = {}

    def of_leaf(leaf: Value) -> Value:
        if leaf not in known:
            known[leaf] = frame.engine.apply(function, Arguments([leaf]), node, frame)
        return known[leaf]

    return _mapped(tree, of_leaf, DEEPEST_NESTING)


def reduced(arguments: Arguments, node: ast.Call, items: Value, frame: Frame) -> Value:
    """What ``functools.reduce`` returns: what the function makes of what it has made so far, and the next item."""
    function = arguments.positional[0]
    start = arguments.positional[2] if len(arguments.positional) > 2 else items
    once = frame.engine.apply(function, Arguments([start, items]), node, frame)
    again = join(start, once)
    return start if again == start else frame.engine.apply(function, Arguments([again, items]), node, frame)


def _given(arguments: Arguments, position: int, keyword: str) -> Value | None:
    if position < len(arguments.positional):
        return arguments.positional[position]
    return arguments.keywords.get(keyword)


def _mapped(tree: Value, of_leaf: Callable[[Value], Value], depth: int) -> Value:
    if isinstance(tree, Alternatives) or depth == 0:
        return of_leaf(tree)
    if isinstance(tree, Sequence):
        items = None if tree.items is None else tuple(_mapped(one, of_leaf, depth - 1) for one in tree.items)
        return Sequence(tree.kind, items, _mapped(tree.element, of_leaf, depth - 1) if items is None else UNKNOWN)
    if isinstance(tree, Mapping):
        entries = tuple((key, _mapped(one, of_leaf, depth - 1)) for key, one in tree.entries)
        element = tree.element if isinstance(tree.element, Never) else _mapped(tree.element, of_leaf, depth - 1)
        return replace(tree, entries=entries, element=element)
    return of_leaf(tree)
