"""What an edit has changed in a module, where that is nothing but functions, and names that run nothing.

Bodies and parameters of functions may be other ones; functions, imports and constants may be new, or gone.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, pairwise

from synclint.analysis.syntax.quiet_statements import has_quiet_defaults, names_bound_by
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

    ``redefined`` are those of them that take other parameters. ``gone`` and ``added`` are the statements at the top of
    the module and in its classes that only one of the two has, ``names`` what these bind, at the top, and in classes.
    ``classes`` are the lines on which those stood that have other attributes of their own, ``docstrings`` those of the
    module and its classes that differ, as they were and are.
    """

    functions: tuple[tuple[FunctionNode, FunctionNode], ...]
    lines: MovedLines
    redefined: tuple[FunctionNode, ...] = ()
    gone: tuple[ast.stmt, ...] = ()
    added: tuple[ast.stmt, ...] = ()
    names: frozenset[str] = frozenset()
    names_in_classes: frozenset[str] = frozenset()
    classes: frozenset[int] = frozenset()
    docstrings: tuple[tuple[str, str], ...] = ()

    @property
    def has_only_moved(self) -> bool:
        """Whether all code is what it was."""
        return not (self.functions or self.gone or self.added or self.docstrings)


class _OtherwiseEdited(Exception):  # noqa: N818 - says that the answer is None
    """Something else than the body of a function is new."""


def edited_bodies(
    before: ast.Module, after: ast.Module, lines_before: Sequence[str], lines_after: Sequence[str]
) -> EditedBodies | None:
    """What differs between two trees of a module with these lines; None where that may do more than define names.

    A function in which classes are defined may not: what these are is known by their places in the tree.
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
    return EditedBodies(
        tuple(comparison.functions),
        MovedLines(tuple(starts), tuple(offsets)),
        tuple(comparison.redefined),
        tuple(comparison.gone),
        tuple(comparison.added),
        frozenset(comparison.names[ast.Module]),
        frozenset(comparison.names[ast.ClassDef]),
        frozenset(comparison.classes),
        tuple(comparison.docstrings),
    )


class _Comparison:
    """Goes through two trees side by side."""

    def __init__(self, lines_before: Sequence[str], lines_after: Sequence[str]) -> None:
        self._lines = lines_before, lines_after
        self.functions: list[tuple[FunctionNode, FunctionNode]] = []
        self.redefined: list[FunctionNode] = []
        self.gone: list[ast.stmt] = []
        self.added: list[ast.stmt] = []
        self.names: dict[type[ast.AST], set[str]] = {ast.Module: set(), ast.ClassDef: set()}
        self.classes: set[int] = set()
        self.docstrings: list[tuple[str, str]] = []
        self.offsets: dict[int, int] = {}

    def statement(self, before: ast.AST, after: ast.AST) -> None:
        """Compare two statements, handlers or modules."""
        if type(before) is not type(after):
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
            if name in _SUITES and type(before) in self.names:
                self._definitions(*self._without_docstrings(before, after), before)
            elif name in _SUITES:
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

    def _definitions(self, before: Sequence[ast.stmt], after: Sequence[ast.stmt], owner: ast.AST) -> None:
        """Compare what stands at the top of a module or in a class, where names may be new, or gone."""
        old, new = list(map(_identity, before)), list(map(_identity, after))
        for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                self._suite(before[first:last], after[start:end])
                continue
            self.gone += before[first:last]
            self.added += after[start:end]
            for statement in (*before[first:last], *after[start:end]):
                names = names_bound_by(statement)
                # Fields of records are told by annotations.
                if names is None or (isinstance(statement, ast.AnnAssign) and isinstance(owner, ast.ClassDef)):
                    raise _OtherwiseEdited
                self.names[type(owner)] |= names
                if isinstance(owner, ast.ClassDef) and not isinstance(statement, FunctionNode):
                    self.classes.add(owner.lineno)

    def _without_docstrings(self, before: ast.AST, after: ast.AST) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What stands in two modules or classes behind their docstrings, if these differ."""
        assert isinstance(before, (ast.Module, ast.ClassDef))
        assert isinstance(after, (ast.Module, ast.ClassDef))
        old, new = ast.get_docstring(before, clean=False), ast.get_docstring(after, clean=False)
        if old == new:
            return before.body, after.body
        self.docstrings.append((old or "", new or ""))
        if old is not None and new is not None:
            self._begins(before.body[0], after.body[0])
        return before.body[old is not None :], after.body[new is not None :]

    def _function(self, before: FunctionNode, after: FunctionNode) -> None:
        for name in ("name", "decorator_list", "type_comment", "type_params"):
            self._same(getattr(before, name, None), getattr(after, name, None))
        self._begins_at_same_column(before, after)
        offsets, is_redefined = dict(self.offsets), True
        try:
            self._same(before.args, after.args)
            self._same(before.returns, after.returns)
            offsets = dict(self.offsets)
            is_redefined = False
            self._same(before.body, after.body)
        except _OtherwiseEdited:
            self.offsets = offsets
            if is_redefined:
                if before.decorator_list or not (has_quiet_defaults(before) and has_quiet_defaults(after)):
                    raise
                self.redefined.append(before)
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
                if _is_text(one) and _written(one, self._lines[0]) != _written(other, self._lines[1]):  # type: ignore[arg-type]
                    raise _OtherwiseEdited  # in other quotes, as messages have it
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
        self._begins(before, after)
        if not isinstance(before, ast.ClassDef):  # which may end with something new
            self._move(_places(before)[2], _places(after)[2])

    def _begins(self, before: ast.AST, after: ast.AST) -> None:
        old, new = _places(before), _places(after)
        if old[1] != new[1]:
            raise _OtherwiseEdited
        self._move(old[0], new[0])

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


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def _written(node: ast.AST, lines: Sequence[str]) -> list[bytes]:
    """The lines of an expression, as they are written."""
    line, column, end_line, end_column = _places(node)
    written = [text.encode(errors="surrogatepass") for text in lines[line - 1 : end_line]]
    if written:
        written[-1] = written[-1][:end_column]
        written[0] = written[0][column:]
    return written


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _places(node: ast.AST) -> tuple[int, int, int, int]:
    assert isinstance(node, (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.excepthandler, ast.alias))
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0


def _identity(statement: ast.stmt) -> object:
    """What tells which statement stands for another one in another text: of what defines, what it defines."""
    if isinstance(statement, (FunctionNode, ast.ClassDef)):
        return type(statement), statement.name
    return type(statement) if isinstance(statement, _COMPOUND) else tuple(map(_content, walk(statement)))


def _content(node: ast.AST) -> tuple[object, ...]:
    """What a node is, without those in it."""
    values = (getattr(node, name, None) for name in node._fields)
    return type(node), *(repr(value) for value in values if not isinstance(value, (ast.AST, list)))


def mentioning(tree: ast.Module, names: frozenset[str], lines: Sequence[str]) -> list[FunctionNode] | None:
    """The functions of a module that mention names; None where something does that runs when it is imported."""
    found: list[FunctionNode] = []

    def search(statements: Sequence[ast.stmt]) -> bool:
        for statement in statements:
            words = _words(lines, _first_line(statement), statement.end_lineno or statement.lineno)
            if names.isdisjoint(words):
                continue
            if isinstance(statement, ast.ClassDef):
                if not names.isdisjoint(_words_of(*statement.decorator_list, *statement.bases, *statement.keywords)):
                    return False
                if not search(statement.body):
                    return False
            elif isinstance(statement, FunctionNode):
                given = (*statement.decorator_list, *statement.args.defaults, *filter(None, statement.args.kw_defaults))
                if not names.isdisjoint(_words_of(*given)):
                    return False
                found.append(statement)
            elif not _reads_nothing(statement) and not (names_bound_by(statement) or set()) & names:
                return False
        return True

    return found if search(tree.body) else None


def _reads_nothing(statement: ast.stmt) -> bool:
    """Whether what looks like names in a statement is text, or names modules."""
    is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_docstring or isinstance(statement, (ast.Import, ast.ImportFrom))


_WORD = re.compile(r"\w+")


def _words(lines: Sequence[str], first: int, last: int) -> set[str]:
    return set(chain.from_iterable(map(_WORD.findall, lines[first - 1 : last])))


def _words_of(*nodes: ast.AST) -> set[str]:
    return set(_WORD.findall(" ".join(map(ast.unparse, nodes))))
