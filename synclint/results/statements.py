"""The statements of a file in which findings stand: their lines, their functions, and what a test decides there."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from synclint.analysis.syntax.parsing import readable_tree
from synclint.analysis.syntax.walk import first_line, statements, walk
from synclint.findings import Position, Span
from synclint.results.scopes import Scope
from synclint.sources.comments import split_lines

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Decides(str, Enum):
    """What hangs on the test of a statement, which limits what can be written in its place.

    ``values`` can be computed both ways and chosen on the device; ``actions`` (leaving a loop or function, calls for
    their effects) need the host; to ``raise`` can be left to a check on the device.
    """

    VALUES = "values"
    ACTIONS = "actions"
    RAISE = "raise"


@dataclass(frozen=True)
class Statement:
    """A statement, of a compound one the header: its lines, the qualified name around it, and what its test decides.

    ``decides`` is None where it is no test. ``text`` are its lines, ``before`` is the first line of the statement that
    runs just before it in the same block, 0 where there is none. Where the source can be parsed, ``node`` is the
    statement, ``scope`` what is known of the function around it or of the module, ``expression`` what stands at the
    place that was asked for, ``around`` the expressions around that from the inside out, and ``loop`` tells what is
    known of the loop of the file that begins on a line.
    """

    first: int
    last: int
    function: str = ""
    decides: Decides | None = None
    text: str = field(default="", compare=False)
    before: int = 0
    node: ast.stmt | None = field(default=None, compare=False, repr=False)
    scope: Scope | None = field(default=None, compare=False, repr=False)
    expression: ast.expr | None = field(default=None, compare=False, repr=False)
    around: tuple[ast.AST, ...] = field(default=(), compare=False, repr=False)
    loop: Callable[[int], Scope | None] = field(default=lambda line: None, compare=False, repr=False)


class Statements:
    """Finds statements by their lines. Where a source cannot be parsed, each line counts as a statement."""

    def __init__(self, source: str) -> None:
        self._source = source
        # Of each block that was looked through the lines on which its statements end, of each statement its filters.
        self._ends: dict[int, list[int]] = {}
        self._tests: dict[ast.stmt, list[ast.expr]] = {}
        self._scopes: dict[ast.AST, Scope] = {}

    @cached_property
    def _tree(self) -> ast.Module | None:
        return readable_tree(self._source)

    @cached_property
    def _lines(self) -> list[str]:
        return split_lines(self._source.removeprefix("\ufeff"))

    def _loop(self, line: int) -> Scope | None:
        """What is known of the loop that begins on a line."""
        loop = self._loops.get(line)
        return self._scope(loop) if loop is not None else None

    @cached_property
    def _loops(self) -> Mapping[int, ast.stmt]:
        found = statements(self._tree.body) if self._tree is not None else ()
        return {node.lineno: node for node in found if isinstance(node, (ast.For, ast.AsyncFor, ast.While))}

    def _scope(self, node: ast.AST) -> Scope:
        """What is known of a function, a module or a loop, which is looked through once."""
        if node not in self._scopes:
            self._scopes[node] = Scope(node)
        return self._scopes[node]

    def at(self, position: Position) -> Statement:
        """The innermost statement that extends over the line of a position."""
        found = self._at(position)
        return replace(found, text="\n".join(self._lines[found.first - 1 : found.last]))

    def around(self, span: Span) -> Statement:
        """The same for an expression, with what stands there and around it."""
        found = self.at(span.start)
        if found.node is None:
            return found
        start, end = self._place(span.start), self._place(span.end)
        inside_out: list[ast.AST] = []
        level: list[ast.AST] = list(_headers(found.node))
        while level:
            part = next((part for part in level if _covers(part, start, end)), None)
            if part is None:
                break
            inside_out.insert(0, part)
            level = list(ast.iter_child_nodes(part))
        inner = [part for part in inside_out if not isinstance(part, (ast.keyword, ast.Starred))]
        expression = inner[0] if inner and isinstance(inner[0], ast.expr) else None
        return replace(found, expression=expression, around=tuple(inner[1:]), loop=self._loop)

    def _place(self, position: Position) -> tuple[int, int]:
        """A position as trees tell it, in bytes."""
        before = self._lines[position.line - 1][: position.column - 1] if position.line <= len(self._lines) else ""
        return position.line, len(before.encode("utf-8", "surrogatepass"))

    def _at(self, position: Position) -> Statement:
        line = position.line
        body: Sequence[ast.stmt] = self._tree.body if self._tree is not None else ()
        around: list[str] = []
        scope: ast.AST | None = self._tree
        while True:
            ends = self._ends.get(id(body))
            if ends is None:
                ends = self._ends[id(body)] = [node.end_lineno or 0 for node in body]
            index = bisect_left(ends, line)
            if index == len(ends) or first_line(body[index]) > line:
                return Statement(line, line, ".".join(around))
            node = body[index]
            inner = next((block for block in _blocks(node) if first_line(block[0]) <= line), None)
            if inner is None:
                before = first_line(body[index - 1]) if index else 0
                statement = replace(
                    _statement(node, body[index + 1 :], ".".join(around)),
                    before=before,
                    node=node,
                    scope=self._scope(scope) if scope is not None else None,
                )
                # What a comprehension leaves out cannot be computed and chosen afterwards.
                return replace(statement, decides=Decides.ACTIONS) if self._filters(node, position) else statement
            if isinstance(node, _NAMED):
                around.append(node.name)
                scope = node
            body = inner

    def _filters(self, statement: ast.stmt, position: Position) -> bool:
        """Whether something at a position within a statement is the filter of a comprehension."""
        tests = self._tests.get(statement)
        if tests is None:
            inner = (part for child in _headers(statement) for part in walk(child))
            tests = [test for part in inner if isinstance(part, ast.comprehension) for test in part.ifs]
            self._tests[statement] = tests
        if not tests:
            return False
        place = self._place(position)
        return any(
            (test.lineno, test.col_offset) <= place < (test.end_lineno or 0, test.end_col_offset or 0) for test in tests
        )


def _covers(node: ast.AST, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Whether a part of a statement extends over all between two places."""
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if first is None or last is None:
        return isinstance(node, (ast.comprehension, ast.withitem, ast.arguments)) and any(
            _covers(child, start, end) for child in ast.iter_child_nodes(node)
        )
    return (first, node.col_offset) <= start and end <= (last, node.end_col_offset)  # type: ignore[attr-defined]


def _headers(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement without the statements within it."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield child


def _blocks(node: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """The blocks of a compound statement that are not empty, the last first."""
    found = [getattr(node, "body", ()), *(handler.body for handler in getattr(node, "handlers", ()))]
    found += [getattr(node, "orelse", ()), getattr(node, "finalbody", ())]
    found += [case.body for case in getattr(node, "cases", ())]
    yield from sorted(filter(None, found), key=lambda block: -first_line(block[0]))


def _statement(node: ast.stmt, after: Sequence[ast.stmt], function: str) -> Statement:
    last = min((first_line(block[0]) - 1 for block in _blocks(node)), default=node.end_lineno or node.lineno)
    return Statement(first_line(node), max(last, node.lineno), function, _decides(node, after))


def _decides(node: ast.stmt, after: Sequence[ast.stmt]) -> Decides | None:
    if isinstance(node, ast.While):
        return Decides.ACTIONS
    if isinstance(node, ast.Assert):
        return Decides.RAISE
    if not isinstance(node, ast.If):
        return None
    if any(isinstance(block[-1], ast.Raise) for block in (node.body, node.orelse) if block):
        return Decides.RAISE
    other = node.orelse or after[:1]
    if _returns_a_value(node.body[-1]) and other and _returns_a_value(other[-1]):
        return Decides.VALUES if all(map(_assigns, node.body[:-1])) else Decides.ACTIONS
    return Decides.VALUES if all(map(_assigns, (*node.body, *node.orelse))) else Decides.ACTIONS


def _returns_a_value(node: ast.stmt) -> bool:
    return isinstance(node, ast.Return) and node.value is not None and not _is_word(node.value)


def _is_word(node: ast.expr) -> bool:
    """Whether it is a constant that no tensor holds, such as None, True or a string."""
    return isinstance(node, ast.Constant) and not (
        isinstance(node.value, (int, float, complex)) and not isinstance(node.value, bool)
    )


def _assigns(node: ast.stmt) -> bool:
    """Whether it does no more than to give a name a value that a tensor can hold."""
    if isinstance(node, ast.Pass):
        return True
    if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or node.value is None:
        return False
    return not _is_word(node.value)
