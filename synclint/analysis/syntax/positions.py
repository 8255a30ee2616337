"""Where nodes stand in the source: from the bytes that Python's parser counts to the characters that people see."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence

from synclint.findings import Position, Span


def lines_of(source: str) -> list[str]:
    """The lines of a source, with their ends; the last one is what stands behind the last end, and empty as a rule.

    Files end lines where Python does and nowhere else; ``str.splitlines`` knows many more signs.
    """
    return [*io.StringIO(source, newline=""), ""]


_PLACED = (ast.expr, ast.stmt, ast.keyword, ast.arg, ast.alias, ast.excepthandler)


def line_of(node: ast.AST) -> int:
    """The line on which an expression or a statement begins."""
    assert isinstance(node, _PLACED)
    return node.lineno


def span_of(node: ast.AST, lines: Sequence[str]) -> Span:
    """The span of an expression or a statement."""
    assert isinstance(node, _PLACED)
    end_line, end_offset = node.end_lineno, node.end_col_offset
    assert end_line is not None
    assert end_offset is not None
    return Span(
        Position(node.lineno, _column(lines, node.lineno, node.col_offset)),
        Position(end_line, _column(lines, end_line, end_offset)),
    )


def text_between(lines: Sequence[str], span: Span) -> str:
    """The source within a span."""
    first, last = span.start.line - 1, span.end.line - 1
    if first == last:
        return lines[first][span.start.column - 1 : span.end.column - 1]
    inner = lines[first + 1 : last]
    return "".join([lines[first][span.start.column - 1 :], *inner, lines[last][: span.end.column - 1]])


def without_comments(text: str) -> str:
    """The source of an expression without the comments that stand within its brackets."""
    if "#" not in text:
        return text
    lines = lines_of(f"({text})")
    try:
        for one in tokenize.generate_tokens(iter(tuple(lines)).__next__):
            if one.type == tokenize.COMMENT:
                line, column = one.start
                lines[line - 1] = f"{lines[line - 1][:column]}{lines[line - 1][one.end[1] :]}"
    except (tokenize.TokenError, SyntaxError):
        return text
    return "".join(lines)[1:-1]


def _column(lines: Sequence[str], line: int, offset: int) -> int:
    """The column, from 1, of what stands ``offset`` bytes of UTF-8 into a line."""
    text = lines[line - 1]
    if text.isascii():
        return offset + 1
    return len(text.encode()[:offset].decode(errors="replace")) + 1


def common_ends(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines at the beginning, and how many at the end, two texts have in common; no line counts twice."""
    most = min(len(before), len(after))
    start = next((n for n in range(most) if before[n] != after[n]), most)
    end = next((n for n in range(most - start) if before[-1 - n] != after[-1 - n]), most - start)
    return start, end
