"""What an edit has changed in a module, where that is nothing but the bodies of functions and the lines of the rest."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from synclint.analysis.syntax.walk import walk

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
# The fields of statements that hold others; what stands in the other fields is the head of the statement.
_SUITES = ("body", "orelse", "finalbody", "handlers", "cases")
_COMPOUND = (ast.If, ast.Try, ast.With, ast.For, ast.While, ast.ExceptHandler, ast.ClassDef, ast.Module)


@dataclass(frozen=True)
class MovedLines:
    """On which line what stood on a line stands now; ``starts`` are the lines from which the ``offsets`` hold."""

    starts: tuple[int, ...]
    offsets: tuple[int, ...]

    def __call__(self, line: int) -> int:
        at = bisect_right(self.starts, line)
        return line + self.offsets[at - 1] if at else line

    @property
    def first(self) -> int | None:
        """The first line that has moved, None where none has."""
        return next((start for start, offset in zip(self.starts, self.offsets, strict=True) if offset), None)


@dataclass(frozen=True)
class EditedBodies:
    """The functions of a module with other bodies, as they stood and as they stand, and where the rest has moved to.

    ``ends`` are the columns at which what holds statements ends now.
    """

    functions: tuple[tuple[FunctionNode, FunctionNode], ...]
    lines: MovedLines
    ends: tuple[tuple[ast.AST, int], ...]


class _OtherwiseEdited(Exception):  # noqa: N818 - says that the answer is None
    """Something else than the body of a function is new."""


def edited_bodies(
    before: ast.Module, after: ast.Module, lines_before: Sequence[str], lines_after: Sequence[str]
) -> EditedBodies | None:
    """What differs between two trees of a module with these lines; None where that is more than bodies of functions.

    One in which classes are defined is no such body: what these are is known by their places in the tree.
    """
    comparison = _Comparison(lines_before, lines_after)
    try:
        comparison.statement(before, after)
    except _OtherwiseEdited:
        return None
    moves = dict(sorted(comparison.offsets.items()))
    if any(line + moves[line] >= following + moves[following] for line, following in pairwise(moves)):
        return None  # what stood on different lines stands on one
    starts, offsets = [0], [0]
    for line, offset in moves.items():
        if offset != offsets[-1]:
            starts.append(line)
            offsets.append(offset)
    return EditedBodies(tuple(comparison.functions), MovedLines(tuple(starts), tuple(offsets)), tuple(comparison.ends))


class _Comparison:
    """Goes through two trees side by side."""

    def __init__(self, lines_before: Sequence[str], lines_after: Sequence[str]) -> None:
        self._lines = lines_before, lines_after
        self.functions: list[tuple[FunctionNode, FunctionNode]] = []
        self.offsets: dict[int, int] = {}
        self.ends: list[tuple[ast.AST, int]] = []

    def statement(self, before: ast.AST, after: ast.AST) -> None:
        """Compare two statements, handlers or modules."""
        if not isinstance(before, type(after)):  # a function whose body is apart is of a kind of its own
            raise _OtherwiseEdited
        if self._has_same_text(before, after):
            return
        if isinstance(before, FunctionNode) and isinstance(after, FunctionNode):
            self._function(before, after)
            return
        if not isinstance(before, _COMPOUND):
            self._same(before, after)
            return
        for name in before._fields:
            one, other = getattr(before, name), getattr(after, name)
            if name in _SUITES:
                self._suite(one, other)
            else:
                self._same(one, other)
        if hasattr(before, "lineno"):
            self._begins_at_same_column(before, after)

    def _suite(self, before: Sequence[ast.AST], after: Sequence[ast.AST]) -> None:
        if len(before) != len(after):
            raise _OtherwiseEdited
        for one, other in zip(before, after, strict=True):
            self.statement(one, other)

    def _function(self, before: FunctionNode, after: FunctionNode) -> None:
        for name in before._fields:
            if name != "body":
                self._same(getattr(before, name), getattr(after, name))
        self._begins_at_same_column(before, after)
        offsets = dict(self.offsets)
        try:
            self._same(before.body, after.body)
        except _OtherwiseEdited:
            self.offsets = offsets
            if any(isinstance(node, ast.ClassDef) for body in (before.body, after.body) for node in walk(body)):
                raise
            self.functions.append((before, after))

    def _same(self, before: object, after: object) -> None:
        """Hold that two parts of trees are the same but for the lines on which they stand."""
        waiting: list[tuple[object, object]] = [(before, after)]
        while waiting:
            one, other = waiting.pop()
            if type(one) is not type(other):
                raise _OtherwiseEdited
            if isinstance(one, ast.AST):
                if isinstance(one, (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.excepthandler, ast.alias)):
                    self._at_same_column(one, other)  # type: ignore[arg-type]
                waiting += [(getattr(one, name, None), getattr(other, name, None)) for name in one._fields]
            elif isinstance(one, list):
                assert isinstance(other, list)
                if len(one) != len(other):
                    raise _OtherwiseEdited
                waiting += zip(one, other, strict=True)
            elif one != other or repr(one) != repr(other):  # 0.0 and -0.0 are equal
                raise _OtherwiseEdited

    def _at_same_column(self, before: ast.AST, after: ast.AST) -> None:
        old, new = _places(before), _places(after)
        if old[1::2] != new[1::2]:
            raise _OtherwiseEdited
        for line, now in zip(old[::2], new[::2], strict=True):
            self._move(line, now)

    def _move(self, line: int, now: int) -> None:
        if self.offsets.setdefault(line, now - line) != now - line:
            raise _OtherwiseEdited  # what stood on one line stands on several

    def _begins_at_same_column(self, before: ast.AST, after: ast.AST) -> None:
        """The same for what holds statements, and ends where the last of them does."""
        old, new = _places(before), _places(after)
        if old[1] != new[1]:
            raise _OtherwiseEdited
        self._move(old[0], new[0])
        self._move(old[2], new[2])
        self.ends.append((before, new[3]))

    def _has_same_text(self, before: ast.AST, after: ast.AST) -> bool:
        """Whether two statements are written on lines that are the same; then where they have moved to is noted."""
        if not isinstance(before, ast.stmt) or not isinstance(after, ast.stmt):
            return False
        first, last = _first_line(before), before.end_lineno or before.lineno
        start, end = _first_line(after), after.end_lineno or after.lineno
        if last - first != end - start or before.col_offset != after.col_offset:
            return False
        if before.end_col_offset != after.end_col_offset:
            return False
        old, new = self._lines
        if old[first - 1 : last] != new[start - 1 : end]:
            return False
        self._move(first, start)
        self._move(last, end)
        return True


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _places(node: ast.AST) -> tuple[int, int, int, int]:
    assert isinstance(node, (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.excepthandler, ast.alias))
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0


def put_in(edited: EditedBodies, tree: ast.Module) -> None:
    """Let the tree of a module be what it is after an edit: its functions have the new bodies, all else has moved."""
    first = edited.lines.first
    for before, _ in edited.functions:
        before.body = []  # what leaves the tree does not move with it
    if first is not None:
        for statement in tree.body:
            if (statement.end_lineno or statement.lineno) >= first:
                for node in list(walk(statement)):  # bodies that come late are parsed before anything has moved
                    _move(node, edited.lines)
    for node, column in edited.ends:
        node.end_col_offset = column  # type: ignore[attr-defined]
    for before, after in edited.functions:
        before.body = after.body
        before.end_lineno = after.end_lineno


def _move(node: ast.AST, lines: MovedLines) -> None:
    if hasattr(node, "lineno"):
        moving: ast.stmt = node  # type: ignore[assignment]
        moving.lineno = lines(moving.lineno)
        if moving.end_lineno is not None:
            moving.end_lineno = lines(moving.end_lineno)
