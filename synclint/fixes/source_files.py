"""A file whose findings are to be fixed: its text, its tree, and what the analysis concluded about it."""

from __future__ import annotations

import ast
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from synclint.analysis.results.expression_facts import Fact, Facts, NodePosition, place_of
from synclint.analysis.syntax.nodes import Nodes
from synclint.analysis.syntax.parsing import readable_tree
from synclint.analysis.syntax.positions import lines_of, span_of, text_between
from synclint.analysis.syntax.walk import children, first_line, walk
from synclint.findings import Confidence, Position, Span
from synclint.fixes.layout import width_of

NOTHING_KNOWN = Fact(frozenset({"unknown"}), trust=Confidence.LOW)
_Made = TypeVar("_Made")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class UnreadableTreeError(ValueError):
    """A source that this Python does not parse: nothing in it can be fixed."""


@dataclass(frozen=True)
class SourceFile:
    """A file as the analysis saw it: the module made of the cells for a notebook.

    ``path`` is the resolved one; ``facts`` are what was concluded about the expressions in functions with waits.
    """

    path: str
    text: str
    facts: Facts = field(default_factory=dict)

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree. Raises UnreadableTreeError."""
        tree = readable_tree(self.text)
        if tree is None:
            raise UnreadableTreeError
        return tree

    @cached_property
    def nodes(self) -> Nodes:
        """All nodes of the tree. Raises UnreadableTreeError."""
        return Nodes(walk(self.tree))

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends."""
        return lines_of(self.text.removeprefix("\ufeff"))

    @cached_property
    def width(self) -> int:
        """How long its lines may be."""
        return width_of(self.lines)

    @cached_property
    def newline(self) -> str:
        """How lines end in this file: as the first of them does."""
        first = self.lines[0] if self.lines else ""
        return first[len(first.rstrip("\r\n")) :] or "\n"

    def once(self, key: tuple[object, ...], make: Callable[[], _Made]) -> _Made:
        """What was made for a key before, or is made now: what several findings ask about a function, a block, a loop.

        A key begins with a word of its own, and may have the ``id`` of what belongs to the tree.
        """
        if key not in self._memo:
            self._memo[key] = make()
        return self._memo[key]  # type: ignore[return-value]

    @cached_property
    def _memo(self) -> dict[tuple[object, ...], object]:
        return {}

    def expression_with(self, place: NodePosition) -> ast.expr | None:
        """The expression at a place that the analysis told of, the outermost where there are several."""
        if place not in self._parts.expressions:
            self._parts.read(place.line)
        return self._parts.expressions.get(place)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node around one, None around the module and around what is no part of the file."""
        parents = self._parts.parents
        if node not in parents and isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword)):
            self._parts.read(getattr(node, "lineno", None))
        return parents.get(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around one, from the inside out."""
        around = self.parent(node)
        while around is not None:
            yield around
            around = self.parent(around)

    def span(self, node: ast.AST) -> Span:
        """Where a node stands, in characters."""
        return span_of(node, self.lines)

    def source_of(self, node: ast.AST) -> str:
        """The source of a node, as written."""
        return text_between(self.lines, self.span(node))

    def fact(self, node: ast.expr) -> Fact:
        """What the analysis concluded about an expression."""
        return self.facts.get(place_of(node), NOTHING_KNOWN)

    @cached_property
    def _parts(self) -> _Parts:
        return _Parts(self.tree)

    def _offset(self, position: Position) -> int:
        return len(self.lines[position.line - 1][: position.column - 1].encode("utf-8", "surrogatepass"))

    def expression_at(self, span: Span) -> ast.expr | None:
        """The expression that extends over a span, the outermost where there are several."""
        start, end = span
        place = (start.line, self._offset(start), end.line, self._offset(end))
        found = self._parts.expressions
        if place not in found:
            self._parts.read(start.line)
        if place not in found:  # the parts of an f-string may be said to stand elsewhere
            self._parts.read_all()
        return found.get(place)

    def is_position_reliable(self, node: ast.expr) -> bool:
        """Whether an expression stands where the parser says: before Python 3.12 it may not within an f-string."""
        if sys.version_info >= (3, 12) or not any(isinstance(n, ast.JoinedStr) for n in self.ancestors(node)):
            return True
        text = self.source_of(node)
        try:
            found = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            return False
        # Of two that read the same, both may be said to stand where the first does.
        string = next(n for n in self.ancestors(node) if isinstance(n, ast.JoinedStr))
        return ast.dump(found) == ast.dump(node) and self.source_of(string).count(text) == 1

    def statement_of(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement around a node."""
        return next((n for n in (node, *self.ancestors(node)) if isinstance(n, ast.stmt)), None)

    def function_of(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
        """The innermost function around a node."""
        return next((n for n in self.ancestors(node) if isinstance(n, FUNCTIONS)), None)


class _Parts:
    """The nodes of a tree by their places and with what is around them, for those of its parts that were asked for.

    A part is a statement at the top of the module, or of a class there: few of them have findings. ``expressions`` are
    by their places as the parser counts them: a column in characters takes its time.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.parents: dict[ast.AST, ast.AST] = {}
        self.expressions: dict[tuple[int, int, int, int], ast.expr] = {}
        self._tree = tree
        self._read: set[ast.stmt] = set()

    def read(self, line: int | None) -> None:
        """Read what stands on a line; nothing for None."""
        around: ast.Module | ast.ClassDef = self._tree
        while line is not None:
            found = _on_line(around.body, line)
            inner = found[0] if len(found) == 1 else None
            if not isinstance(inner, ast.ClassDef) or not _on_line(inner.body, line):
                self._read_part(found, around)
                return
            self.parents[inner] = around
            around = inner

    def read_all(self) -> None:
        """Read the whole file."""
        self._read_part(self._tree.body, self._tree)

    def _read_part(self, statements: Sequence[ast.stmt], around: ast.AST) -> None:
        waiting: list[ast.AST] = []
        for statement in statements:
            if statement not in self._read:
                self._read.add(statement)
                self.parents[statement] = around
                waiting.append(statement)
        # One level after the other: of several expressions at one place the outermost counts.
        while waiting:
            below: list[ast.AST] = []
            for node in waiting:
                if isinstance(node, ast.expr):
                    place = (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
                    self.expressions.setdefault(place, node)
                for child in children(node):
                    self.parents[child] = node
                    below.append(child)
            waiting = below


def _on_line(body: Sequence[ast.stmt], line: int) -> list[ast.stmt]:
    """The statements of a body that extend over a line."""
    found = []
    for statement in body[bisect_left(body, line, key=lambda statement: statement.end_lineno or 0) :]:
        if first_line(statement) > line:
            break
        found.append(statement)
    return found
