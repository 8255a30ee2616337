"""A file whose findings are to be fixed: its text, its tree, and what the analysis concluded about it."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from synclint.analysis.results.expression_facts import Fact, Facts, NodePlace, place_of
from synclint.analysis.syntax.positions import lines_of, span_of, text_between
from synclint.findings import Confidence, Position, Span

NOTHING_KNOWN = Fact(frozenset({"unknown"}), trust=Confidence.LOW)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the checked code; not ours to pass on
            try:
                return ast.parse(self.text.removeprefix("\ufeff"))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                raise UnreadableTreeError from None

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends."""
        return lines_of(self.text.removeprefix("\ufeff"))

    @cached_property
    def newline(self) -> str:
        """How lines end in this file: as the first of them does."""
        first = self.lines[0] if self.lines else ""
        return first[len(first.rstrip("\r\n")) :] or "\n"

    @cached_property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """The node around each node."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around one, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

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
    def _expressions(self) -> Mapping[NodePlace, ast.expr]:
        """The expressions by their places, as the parser counts them: a column in characters takes its time."""
        found: dict[NodePlace, ast.expr] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr):
                found.setdefault(place_of(node), node)
        return found

    def _offset(self, position: Position) -> int:
        return len(self.lines[position.line - 1][: position.column - 1].encode("utf-8", "surrogatepass"))

    def expression_at(self, span: Span) -> ast.expr | None:
        """The expression that extends over a span, the outermost where there are several."""
        start, end = span
        return self._expressions.get(NodePlace(start.line, self._offset(start), end.line, self._offset(end)))

    def is_told_right(self, node: ast.expr) -> bool:
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
        return next((n for n in self.ancestors(node) if isinstance(n, _FUNCTIONS)), None)
