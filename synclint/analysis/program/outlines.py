"""Outlines: a module without the bodies of its functions, each of which is parsed when it is first looked at.

Whoever imports a module needs few of its functions. With its outline, which is found once and kept, the rest of them
need not be parsed to know its names, its classes and its signatures.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from synclint.analysis.syntax.positions import lines_of
from synclint.analysis.syntax.receivers import attributes_assigned_to, first_parameter
from synclint.analysis.syntax.walk import suites
from synclint.sources.kept_texts import KeptText

# Shorter ones are parsed as fast as they are left out.
_FEWEST_LINES = 3
# It changes what the rest of a module means to the parser, which would not see it there.
_CHANGES_SYNTAX = "barry_as_FLUFL"

Parse = Callable[[str], ast.Module]
LineAndColumn = tuple[int, int]


@dataclass(frozen=True)
class FunctionOutline:
    """A function whose body is left out: where it ends, and the attributes that it assigns to its first parameter.

    ``end`` is a line, from 1, and an offset in bytes of UTF-8, as Python's parser counts them.
    """

    end: LineAndColumn
    assigned: frozenset[str]


@dataclass(frozen=True)
class Outline:
    """The source of a module with ``...`` for long bodies, and the functions that have them, by their places.

    All else stands where it stood.
    """

    source: str
    functions: Mapping[LineAndColumn, FunctionOutline]


class KeptOutlines(Protocol):
    """Where outlines are kept from one run to the next, by the sources that they were made of."""

    def find(self, source: str) -> Outline | None:
        """The outline of a source, None where none is kept."""

    def keep(self, source: str, outline: Outline) -> None:
        """Keep the outline of a source."""


class OutlinedFunction(ast.FunctionDef):
    """A function whose body is parsed when it is first asked for."""

    outline: FunctionOutline
    parse_body: Callable[[], list[ast.stmt]]

    def __getattr__(self, name: str) -> list[ast.stmt]:
        """What has not been set: the body."""
        return _body_of(self, name)


class OutlinedAsyncFunction(ast.AsyncFunctionDef):
    """The same for ``async def``."""

    outline: FunctionOutline
    parse_body: Callable[[], list[ast.stmt]]

    def __getattr__(self, name: str) -> list[ast.stmt]:
        """What has not been set: the body."""
        return _body_of(self, name)


def _body_of(node: OutlinedFunction | OutlinedAsyncFunction, name: str) -> list[ast.stmt]:
    if name != "body":
        raise AttributeError(name)
    node.body = node.parse_body()
    return node.body


def outline_of(source: str, tree: ast.Module) -> Outline | None:
    """The outline of a source that parses to ``tree``; None where it would leave nothing out."""
    if _CHANGES_SYNTAX in source:
        return None
    lines = lines_of(source)
    functions: dict[LineAndColumn, FunctionOutline] = {}
    for node in _outermost_functions(tree.body):
        if not _can_be_left_out(node, lines):
            continue
        first = node.body[0]
        found = functions[node.lineno, node.col_offset] = _outline_of_function(node)
        last_line = found.end[0]
        before = lines[first.lineno - 1].encode()[: first.col_offset].decode()
        lines[first.lineno - 1 : last_line] = [f"{before}...\n", *["\n"] * (last_line - first.lineno)]
    return Outline("".join(lines), functions) if functions else None


def _can_be_left_out(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: Sequence[str]) -> bool:
    """Whether the body of a function can be parsed by itself, and is long enough for that."""
    first = node.body[0]
    last_line = node.end_lineno or first.lineno
    if last_line - first.lineno < _FEWEST_LINES - 1 or _begins_elsewhere(first):
        return False
    return "\f" not in lines[node.lineno - 1]


def _outline_of_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> FunctionOutline:
    return FunctionOutline((node.end_lineno or 0, node.end_col_offset or 0), _assigned(node))


def _begins_elsewhere(statement: ast.stmt) -> bool:
    """Whether a statement begins before its place: decorators stand above it."""
    return bool(getattr(statement, "decorator_list", ()))


def _outermost_functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that are in no other function, those in classes and behind conditions included."""
    waiting = list(reversed(body))
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield statement
        else:
            waiting.extend(reversed([inner for suite in suites(statement) for inner in suite]))


def keep_bodies_apart(tree: ast.Module, text: KeptText, parse: Parse) -> None:
    """Let the tree of a module with this text tell which bodies of its functions have been looked at.

    Long ones are parsed again when they are: most never are, and trees take most of the memory of a large project.
    """
    lines, is_divisible = text.lines, _CHANGES_SYNTAX.encode() not in text.utf8
    for node in list(_outermost_functions(tree.body)):
        if not isinstance(node, (OutlinedFunction, OutlinedAsyncFunction)):
            outline = _outline_of_function(node)
            can_be_left_out = is_divisible and _can_be_left_out(node, lines)
            late = partial(_parsed_body, node, lines, outline, parse) if can_be_left_out else partial(list, node.body)
            node.parse_body = late  # type: ignore[union-attr]
            node.outline = outline  # type: ignore[union-attr]
            del node.body
            node.__class__ = OutlinedFunction if isinstance(node, ast.FunctionDef) else OutlinedAsyncFunction


def functions_read(tree: ast.Module) -> Iterator[LineAndColumn]:
    """Where the functions of a module stand whose bodies have been looked at, those within these left out."""
    return ((node.lineno, node.col_offset) for node in _outermost_functions(tree.body) if "body" in vars(node))


def _assigned(node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The attributes that a function assigns to its receiver, which only a method has: it is indented."""
    receiver = first_parameter(node.args) if node.col_offset else None
    return attributes_assigned_to(receiver, node.body) if receiver is not None else frozenset()


def outlined(outline: Outline, lines: Sequence[str], parse: Parse) -> ast.Module:
    """The tree of a source with these lines, from its outline: the same that ``parse`` makes of the whole.

    But bodies come late.
    """
    tree = parse(outline.source)
    for node in list(_outermost_functions(tree.body)):
        function = outline.functions.get((node.lineno, node.col_offset))
        if function is not None:
            node.parse_body = partial(_parsed_body, node, lines, function, parse)  # type: ignore[union-attr]
            node.outline = function  # type: ignore[union-attr]
            node.end_lineno, node.end_col_offset = function.end
            del node.body
            kind = OutlinedFunction if isinstance(node, ast.FunctionDef) else OutlinedAsyncFunction
            node.__class__ = kind
    _end_with_their_suites(tree.body)
    return tree


def _end_with_their_suites(body: list[ast.stmt]) -> None:
    """Let compound statements end where the last of what they hold ends."""
    found: list[ast.stmt | ast.ExceptHandler] = []
    waiting: list[ast.stmt | ast.ExceptHandler] = list(body)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        found.append(statement)
        waiting.extend(getattr(statement, "handlers", ()))
        waiting.extend(inner for suite in suites(statement) for inner in suite)
    for statement in reversed(found):
        held = [suite for suite in suites(statement) if suite]
        if held:
            last = held[-1][-1]
            statement.end_lineno, statement.end_col_offset = last.end_lineno, last.end_col_offset


def _parsed_body(node: ast.stmt, lines: Sequence[str], function: FunctionOutline, parse: Parse) -> list[ast.stmt]:
    # The last line may go on, in nothing, on the next.
    above, text = node.lineno - 1, "".join(lines[node.lineno - 1 : function.end[0]]) + "\n"
    # Below as many lines as in the module, its nodes have the same places as there.
    if node.col_offset == 0:
        whole = parse("\n" * above + text).body[0]
    else:
        condition = parse("\n" * (above - 1) + "if 1:\n" + text).body[0]
        assert isinstance(condition, ast.If)
        whole = condition.body[0]
    assert isinstance(whole, (ast.FunctionDef, ast.AsyncFunctionDef))
    return whole.body
