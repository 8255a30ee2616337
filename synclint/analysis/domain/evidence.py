"""The chain of evidence for a value: whether it is told in other words, and what is written where a link stands."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.values import Mapping, Origin, Sequence, Tensor, Value, options
from synclint.analysis.syntax.walk import walk

_DEEPEST = 3
_WRITTEN = "what is written at its place"


def place_only(node: ast.AST) -> ast.AST:
    """A node that is made to tell a place alone, as where a value is read back from the memo."""
    vars(node)[_WRITTEN] = None
    return node


def written_at(link: Origin) -> ast.AST | None:
    """The node of a link, with all that is written there; one of another kind where that is gone."""
    node = link.node
    if node is None or link.module is None or _WRITTEN not in vars(node):
        return node
    if vars(node)[_WRITTEN] is None:
        vars(node)[_WRITTEN] = next((one for one in walk(link.module.tree) if _is_at(one, node)), ast.Pass())
    return vars(node)[_WRITTEN]  # type: ignore[no-any-return]


def _is_at(one: ast.AST, node: ast.AST) -> bool:
    """Whether a node is of the kind of another one, and stands there; a function with another body ends elsewhere."""
    if type(one) is not type(node) or _start(one) != _start(node):
        return False
    return not isinstance(one, ast.expr) or _end(one) == _end(node)


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def differ_in_evidence(first: Value, second: Value) -> bool:
    """Whether the evidence for two equal values is told in other words, or of other places."""
    return first is not second and _evidence(first, _DEEPEST) != _evidence(second, _DEEPEST)


def _evidence(value: Value, depth: int) -> frozenset[Hashable]:
    found: set[Hashable] = set()
    for option in options(value):
        if isinstance(option, Tensor) and option.origin is not None:
            links = option.origin.chain()
            found.add(tuple((link.text, link.module, getattr(link.node, "lineno", 0)) for link in links))
        elif isinstance(option, (Sequence, Mapping)) and depth:
            found |= _evidence(any_item(option), depth - 1)
    return frozenset(found)
