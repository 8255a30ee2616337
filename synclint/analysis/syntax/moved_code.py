"""Whether two texts of a module are the same code on other lines: what differs are comments, blank lines, docstrings.

All tokens are then the same, in the same columns, and so is whatever Python's parser and the messages make of them.
Bodies of functions may be left out of the comparison, for those who have not looked at them.
"""

from __future__ import annotations

import ast
import token
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from synclint.analysis.syntax.edited_bodies import FunctionNode, MovedLines, edited_bodies
from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.analysis.syntax.positions import lines_of
from synclint.analysis.syntax.walk import walk

# Which tokens there are of these, and where, follows from the columns of others.
_LAYOUT = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})
# Tokenizers and parsers take these in ways of their own.
_IRREGULAR = ("\f", "\0")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_HOLD_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

Place = tuple[int, int]


@dataclass(frozen=True)
class MovedCode:
    """Where the lines of a text stand in another one of the same code; docstrings that differ, as they were and are.

    ``functions`` are those with other bodies, as they were and as they are.
    """

    lines: MovedLines
    docstrings: tuple[tuple[str, str], ...] = ()
    functions: tuple[tuple[FunctionNode, FunctionNode], ...] = ()


@dataclass(frozen=True)
class _Token:
    kind: int
    text: str
    start: Place
    end: Place


class _OtherCodeError(Exception):
    """The two texts are not the same code."""


def moved_code(before: str, after: str) -> MovedCode | None:
    """How the lines of a text have moved in another one; None where more than bodies of functions is other code."""
    if any(sign in text for sign in _IRREGULAR for text in (before, after)):
        return None
    try:
        trees = parse(before), parse(after)
        edited = edited_bodies(*trees, lines_of(before), lines_of(after))
        functions = tuple(filter(_differ_for_those_who_look, edited.functions)) if edited is not None else ()
        olds, news = [old for old, _ in functions], [new for _, new in functions]
        found = _compared(_TokenizedText(before, trees[0], olds), _TokenizedText(after, trees[1], news))
        return replace(found, functions=functions)
    except (_OtherCodeError, ParseFailure, tokenize.TokenError, SyntaxError, RecursionError):
        return None


def _differ_for_those_who_look(functions: tuple[FunctionNode, FunctionNode]) -> bool:
    """Whether nothing but what is seen within a function differs: no definitions, which have records of their own.

    Docstrings are looked at from outside as well, and are compared as such.
    """
    before, after = functions
    if ast.get_docstring(before, clean=False) != ast.get_docstring(after, clean=False):
        return False
    return not any(isinstance(node, _DEFINITIONS) for body in (before.body, after.body) for node in walk(body))


class _TokenizedText:
    """The lines of a text, its tokens but for those in the bodies of some functions, and where its docstrings stand."""

    def __init__(self, text: str, tree: ast.Module, left_out: Sequence[FunctionNode]) -> None:
        self.lines = lines_of(text)
        self.left_out = {line for function in left_out for line in self._lines_of_body(function)}
        self.tokens = [one for one in _tokens(self.lines) if one.start[0] not in self.left_out]
        self.docstrings = {(node.lineno, node.col_offset): node for node in _docstrings(tree)}

    def _lines_of_body(self, function: FunctionNode) -> range:
        first, last = function.body[0], function.body[-1]
        if self.lines[first.lineno - 1].encode()[: first.col_offset].strip():
            raise _OtherCodeError  # it begins behind the header
        return range(first.lineno, (last.end_lineno or last.lineno) + 1)

    def place(self, place: Place) -> Place:
        """A place as the parser counts it, in bytes, by the characters that the tokenizer counts."""
        line, column = place
        return line, len(self.lines[line - 1][:column].encode())

    def docstring(self, one: _Token) -> str | None:
        """The docstring that a token is, all of it; None for all others."""
        node = self.docstrings.get(self.place(one.start))
        if one.kind != tokenize.STRING or node is None:
            return None
        is_whole = (node.end_lineno, node.end_col_offset) == self.place(one.end)
        return str(node.value) if is_whole else None


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in walk(tree):
        if isinstance(node, _HOLD_DOCSTRINGS) and node.body and isinstance(node.body[0], ast.Expr):
            first = node.body[0].value
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first


def _tokens(lines: Sequence[str]) -> Iterator[_Token]:
    """The tokens that matter, with lines counted from 1 and columns in characters from 0."""
    for one in tokenize.generate_tokens(iter(lines).__next__):
        if one.type not in _LAYOUT:
            yield _Token(one.type, one.string, one.start, one.end)


def _compared(before: _TokenizedText, after: _TokenizedText) -> MovedCode:
    moved: dict[int, int] = {}
    # Up to which column there is code on the lines of the text before; docstrings that differ aside.
    ends: dict[int, int] = {}
    docstrings: dict[Place, tuple[str, str]] = {}
    for one, other in zip_longest(before.tokens, after.tokens):
        if one is None or other is None or one.kind != other.kind:
            raise _OtherCodeError
        if one.kind == token.NEWLINE:
            continue
        if one.start[1] != other.start[1]:
            raise _OtherCodeError
        if one.text == other.text:
            if one.end[1] != other.end[1]:
                raise _OtherCodeError
            for line in range(one.start[0], one.end[0] + 1):
                _note(moved, line, line - one.start[0] + other.start[0])
                ends[line] = len(before.lines[line - 1]) if line < one.end[0] else one.end[1]
            continue
        said = before.docstring(one), after.docstring(other)
        if said[0] is None or said[1] is None:
            raise _OtherCodeError
        docstrings[one.start] = said[0], said[1]
        _note(moved, one.start[0], other.start[0])
        ends[one.start[0]] = one.start[1]
    _hold_order(moved)
    beside_docstrings = {line for line, _ in docstrings}
    for line, end in ends.items():
        old, new = before.lines[line - 1], after.lines[moved[line] - 1]
        if old[:end] != new[:end] or (line not in beside_docstrings and not _end_alike(old[end:], new[end:])):
            raise _OtherCodeError
    _hold_no_code_between(before)
    _hold_no_code_between(after)
    return MovedCode(_moved_lines(moved), tuple(docstrings.values()))


def _note(moved: dict[int, int], line: int, now: int) -> None:
    if moved.setdefault(line, now) != now:
        raise _OtherCodeError


def _hold_order(moved: dict[int, int]) -> None:
    """Hold that lines stand in the order in which they stood, and what stood on different ones still does."""
    if any(now >= following for now, following in pairwise(moved[line] for line in sorted(moved))):
        raise _OtherCodeError


def _end_alike(old: str, new: str) -> bool:
    """Whether nothing but comments and spaces differ behind the code of a line, which may go on after a backslash."""
    return old.strip() == new.strip() or (_is_no_code(old) and _is_no_code(new))


def _hold_no_code_between(text: _TokenizedText) -> None:
    """Hold that there is nothing on the lines without tokens: a backslash would be quoted."""
    covered = {line for one in text.tokens for line in range(one.start[0], one.end[0] + 1)}
    covered |= text.left_out
    if not all(_is_no_code(line) for number, line in enumerate(text.lines, 1) if number not in covered):
        raise _OtherCodeError


def _is_no_code(rest: str) -> bool:
    stripped = rest.strip()
    return not stripped or stripped.startswith("#")


def _moved_lines(moved: dict[int, int]) -> MovedLines:
    starts, offsets = [0], [0]
    for line in sorted(moved):
        if moved[line] - line != offsets[-1]:
            starts.append(line)
            offsets.append(moved[line] - line)
    return MovedLines(tuple(starts), tuple(offsets))
