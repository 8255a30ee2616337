"""Comments and logical lines of a source file, found without understanding the code.

A logical line is a statement, or the header of a compound one, with all the physical lines it extends over.
Syntax that is newer than the running Python, or wrong, ends the tokenizer's work; from there on every
physical line counts as a logical one.
"""

from __future__ import annotations

import io
import re
import tokenize
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

LINE_END = re.compile(r"\r\n|\r|\n")

_LAYOUT = frozenset({tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.COMMENT})
_PRAGMA = re.compile(r"#\s*(?:synclint:|noqa\b).*", re.IGNORECASE)
_OPENED, _CLOSED = re.compile(r"(?<=[(\[{]) "), re.compile(r" ?,? ?(?=[)\]}])")


def split_lines(text: str) -> list[str]:
    """The lines of a text, without what ends them; nearly all texts have one kind of end, for which that is faster."""
    return LINE_END.split(text) if "\r" in text else text.split("\n")


@dataclass(frozen=True)
class Comment:
    """A comment with its ``#``; ``column`` counts from 1, and ``alone`` means that no code precedes it."""

    text: str
    line: int
    column: int
    alone: bool


@dataclass(frozen=True)
class LogicalLine:
    """A statement on the lines ``first`` to ``last``; ``text`` is it without its layout and comments."""

    first: int
    last: int
    indent: int
    text: str


@dataclass(frozen=True)
class SourceLines:
    """A source file as physical lines, comments and logical lines, in order."""

    physical: tuple[str, ...]
    comments: tuple[Comment, ...]
    logical: tuple[LogicalLine, ...]

    @cached_property
    def _firsts(self) -> list[int]:
        return [logical.first for logical in self.logical]

    @cached_property
    def _after_comments(self) -> dict[int, int]:
        after: dict[int, int] = {}
        for comment in reversed(self.comments):
            if comment.alone:
                after[comment.line] = after.get(comment.line + 1, comment.line + 1)
        return after

    def after_comments(self, line: int) -> int:
        """The next line that is not a comment alone, for the line of such a comment."""
        return self._after_comments[line]

    def index_at(self, line: int) -> int:
        """The index of the logical line that holds a physical line, or else of the next one."""
        index = bisect_right(self._firsts, line) - 1
        return index if index >= 0 and self.logical[index].last >= line else index + 1

    def holding(self, line: int) -> LogicalLine | None:
        """The logical line that holds a physical line; None for blank lines and lone comments."""
        index = self.index_at(line)
        if index < len(self.logical) and self.logical[index].first <= line:
            return self.logical[index]
        return None


def source_lines(source: str) -> SourceLines:
    """Divide a source into its lines."""
    physical = tuple(split_lines(source.removeprefix("\ufeff")))
    comments: list[Comment] = []
    spans: list[tuple[int, int]] = []
    first = reached = 0
    try:
        for token in _tokens(physical):
            line, column = token.start
            if token.type == tokenize.COMMENT:
                before, said = physical[line - 1][:column], physical[line - 1][column:]
                comments.append(Comment(said, line, column + 1, not before.strip()))
            elif token.type == tokenize.NEWLINE:
                spans.append((first or line, line))
                first, reached = 0, line
            elif token.type not in _LAYOUT and not first:
                first = line
    except (tokenize.TokenError, SyntaxError, UnicodeError):
        comments = [comment for comment in comments if comment.line <= reached]
        rest = range(reached + 1, len(physical) + 1)
        spans += [(number, number) for number in rest if _has_code(physical[number - 1])]
        comments += _pragmas(physical, rest)
    return SourceLines(physical, tuple(comments), tuple(_logical(physical, spans, comments)))


def _tokens(physical: Sequence[str]) -> Iterator[tokenize.TokenInfo]:
    # NUL characters make the tokenizers of some releases of Python fail in ways of their own.
    text = "\n".join(physical).replace("\0", " ")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the checked code; not ours to pass on
        yield from tokenize.generate_tokens(io.StringIO(text).readline)


def _has_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _pragmas(physical: Sequence[str], numbers: range) -> Iterator[Comment]:
    for number in numbers:
        line = physical[number - 1]
        found = _PRAGMA.search(line)
        if found:
            yield Comment(found.group(), number, found.start() + 1, not line[: found.start()].strip())


def _logical(
    physical: Sequence[str], spans: Sequence[tuple[int, int]], comments: Sequence[Comment]
) -> Iterator[LogicalLine]:
    ends = {comment.line: comment.column - 1 for comment in comments}
    for first, last in spans:
        pieces = [physical[number - 1][: ends.get(number)] for number in range(first, last + 1)]
        text = " ".join(" ".join(pieces).replace("\\ ", " ").split())
        # Python takes no mixture of tabs and spaces that depends on a tab's width.
        indent = len(pieces[0]) - len(pieces[0].lstrip())
        yield LogicalLine(first, last, indent, _CLOSED.sub("", _OPENED.sub("", text)))
