"""Where nodes stand in the source, computed only for what is reported.

libcst keeps no positions; its own provider finds them by generating the code of the whole file and
following every token. Here the code is generated once as well, but only the number of the token at which
a wanted node starts and ends is kept, and turned into a line and a column afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from synclint.findings import Position, Span


class _TokenCounter(CodegenState):
    """A code generator's state that remembers between which tokens the wanted nodes stand."""

    def __init__(self, module: cst.Module, wanted: set[int]) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.wanted = wanted
        self.open: dict[int, int] = {}
        self.outer: dict[int, tuple[int, int]] = {}
        self.inner: dict[int, tuple[int, int]] = {}

    def before_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted:
            self.open[id(node)] = len(self.tokens)

    def after_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted:
            self.outer[id(node)] = (self.open[id(node)], len(self.tokens))

    def record_syntactic_position(  # type: ignore[override]  # any context manager will do
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> AbstractContextManager[None]:
        return self._recorded(node) if id(node) in self.wanted else _UNRECORDED

    @contextmanager
    def _recorded(self, node: cst.CSTNode) -> Iterator[None]:
        start = len(self.tokens)
        yield
        self.inner[id(node)] = (start, len(self.tokens))


_UNRECORDED: AbstractContextManager[None] = nullcontext()


def spans(tree: cst.Module, nodes: Iterable[cst.CSTNode]) -> dict[int, Span]:
    """The spans of nodes of ``tree`` by their ``id``, without the whitespace around them."""
    wanted = {id(node) for node in nodes}
    if not wanted:
        return {}
    state = _TokenCounter(tree, wanted)
    tree._codegen(state)
    ranges = {**state.outer, **state.inner}
    places = _places(state.tokens, {index for pair in ranges.values() for index in pair})
    return {node: Span(places[start], places[end]) for node, (start, end) in ranges.items()}


def _places(tokens: list[Any], indices: set[int]) -> dict[int, Position]:
    """The positions in front of the tokens with these numbers."""
    found: dict[int, Position] = {}
    line, column = 1, 1
    for index, token in enumerate(tokens):
        if index in indices:
            found[index] = Position(line, column)
        if "\n" in token or "\r" in token:
            pieces = token.splitlines(keepends=True)
            ended = pieces[-1].endswith(("\n", "\r"))
            line += len(pieces) - (0 if ended else 1)
            column = 1 if ended else len(pieces[-1]) + 1
        else:
            column += len(token)
    if len(tokens) in indices:
        found[len(tokens)] = Position(line, column)
    return found
