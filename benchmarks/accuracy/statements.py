"""Which statement a line belongs to, as the truth counts them: of a compound one only the header."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.accuracy.data import Lines


class StatementLines:
    """The statements of one source, by their lines; in one that cannot be parsed each line is a statement."""

    def __init__(self, source: bytes) -> None:
        self._owners: dict[int, Lines] = {}
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            return
        # What stands within another statement comes later in the walk, and takes its lines over.
        for node in ast.walk(tree):
            if isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):
                lines = _header(node)
                self._owners.update(dict.fromkeys(range(lines.first, lines.last + 1), lines))

    def of(self, line: int) -> Lines:
        """The statement that a line belongs to."""
        return self._owners.get(line, Lines(line, line))


def _header(node: ast.stmt | ast.excepthandler | ast.match_case) -> Lines:
    if isinstance(node, ast.match_case):
        return Lines(node.pattern.lineno, _end(node.guard or node.pattern))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        decorated = [decorator.lineno for decorator in node.decorator_list]
        return Lines(min([node.lineno, *decorated]), max([node.lineno, *map(_end, _signature(node))]))
    if isinstance(node, (ast.Try, ast.ExceptHandler)) or type(node).__name__ == "TryStar":
        caught = node.type if isinstance(node, ast.ExceptHandler) else None
        return Lines(node.lineno, _end(caught) if caught is not None else node.lineno)
    parts = list(_parts_of_header(node))
    return Lines(node.lineno, max(map(_end, parts)) if parts else _end(node))


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[ast.AST]:
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from (keyword.value for keyword in node.keywords)
        return
    yield from (part for part in ast.walk(node.args) if hasattr(part, "end_lineno"))
    if node.returns is not None:
        yield node.returns


def _parts_of_header(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.If, ast.While)):
        yield node.test
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield from (item.optional_vars or item.context_expr for item in node.items)
    elif isinstance(node, ast.Match):
        yield node.subject


def _end(node: ast.AST) -> int:
    end: int | None = getattr(node, "end_lineno", None)
    begin: int = getattr(node, "lineno", 0)
    return begin if end is None else end
