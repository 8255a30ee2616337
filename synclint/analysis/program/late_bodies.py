"""Imported modules without the bodies of their functions, each of which is parsed again when it is first looked at.

Whoever imports a module needs few of its functions: its names, its classes and its signatures do without the rest.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from synclint.analysis.syntax.receivers import attributes_assigned_by
from synclint.analysis.syntax.walk import suites
from synclint.sources.kept_texts import KeptText

# Shorter ones are parsed as fast as they are left out.
_FEWEST_LINES = 3
# It changes what the rest of a module means to the parser, which would not see it there.
_CHANGES_SYNTAX = "barry_as_FLUFL"

Parse = Callable[[str], ast.Module]


class LateFunction(ast.FunctionDef):
    """A function whose body is parsed when it is first asked for.

    It is known which attributes it gives to its first parameter (``assigned``).
    """

    assigned: frozenset[str]
    parse_body: Callable[[], list[ast.stmt]]

    def __getattr__(self, name: str) -> list[ast.stmt]:
        """What has not been set: the body."""
        return _body_of(self, name)


class LateAsyncFunction(ast.AsyncFunctionDef):
    """The same for ``async def``."""

    assigned: frozenset[str]
    parse_body: Callable[[], list[ast.stmt]]

    def __getattr__(self, name: str) -> list[ast.stmt]:
        """What has not been set: the body."""
        return _body_of(self, name)


def _body_of(node: LateFunction | LateAsyncFunction, name: str) -> list[ast.stmt]:
    if name != "body":
        raise AttributeError(name)
    node.body = node.parse_body()
    return node.body


def _can_be_left_out(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: Sequence[str]) -> bool:
    """Whether the body of a function can be parsed by itself, and is long enough for that."""
    first = node.body[0]
    last_line = node.end_lineno or first.lineno
    if last_line - first.lineno < _FEWEST_LINES - 1 or _begins_elsewhere(first):
        return False
    return "\f" not in lines[node.lineno - 1]


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
    """Take the long bodies of functions out of the tree of a module with this text; each is parsed when it is read.

    Most never are, and trees take most of the memory of a large project.
    """
    if _CHANGES_SYNTAX.encode() in text.utf8:
        return
    lines = text.lines
    for node in list(_outermost_functions(tree.body)):
        if _can_be_left_out(node, lines):
            node.assigned = attributes_assigned_by(node)  # type: ignore[union-attr]
            node.parse_body = partial(_parsed_body, node, lines, parse)  # type: ignore[union-attr]
            del node.body
            node.__class__ = LateFunction if isinstance(node, ast.FunctionDef) else LateAsyncFunction


def unread_functions(tree: ast.Module) -> Iterator[LateFunction | LateAsyncFunction]:
    """The functions at whose bodies nobody has looked."""
    for node in _outermost_functions(tree.body):
        if isinstance(node, (LateFunction, LateAsyncFunction)) and "body" not in vars(node):
            yield node


def _parsed_body(node: ast.stmt, lines: Sequence[str], parse: Parse) -> list[ast.stmt]:
    # The last line may go on, in nothing, on the next.
    above, text = node.lineno - 1, "".join(lines[node.lineno - 1 : node.end_lineno]) + "\n"
    # Below as many lines as in the module, its nodes have the same places as there.
    if node.col_offset == 0:
        whole = parse("\n" * above + text).body[0]
    else:
        condition = parse("\n" * (above - 1) + "if 1:\n" + text).body[0]
        assert isinstance(condition, ast.If)
        whole = condition.body[0]
    assert isinstance(whole, (ast.FunctionDef, ast.AsyncFunctionDef))
    return whole.body
