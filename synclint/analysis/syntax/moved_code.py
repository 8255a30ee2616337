"""Whether two texts of a module are the same code on other lines: what differs are comments, blank lines, docstrings.

The trees are then the same but for the lines, and so are all tokens, which messages quote.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from synclint.analysis.syntax.edited_bodies import MovedLines, edited_bodies
from synclint.analysis.syntax.parsing import ParseFailure, parse
from synclint.analysis.syntax.positions import lines_of
from synclint.analysis.syntax.walk import walk

# Which tokens there are of these, and where, follows from the columns of others.
_LAYOUT = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})
# Tokenizers and parsers take these in ways of their own.
_IRREGULAR = ("\f", "\0")
_HOLD_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class MovedCode:
    """Where the lines of a text stand in another one of the same code; docstrings that differ, as they were and are."""

    lines: MovedLines
    docstrings: tuple[tuple[str, str], ...] = ()

    @property
    def is_in_place(self) -> bool:
        """Whether all code stands where it stood."""
        return self.lines.first is None


def moved_code(before: str, after: str) -> MovedCode | None:
    """How the lines of a text have moved in another one; None where that is other code."""
    if any(sign in text for sign in _IRREGULAR for text in (before, after)):
        return None
    lines = lines_of(before), lines_of(after)
    try:
        trees = parse(before), parse(after)
        said = _taken_out(trees[0]), _taken_out(trees[1])
        edited = edited_bodies(*trees, *lines)
        if edited is None or not edited.has_only_moved or _code(lines[0], said[0]) != _code(lines[1], said[1]):
            return None
    except (ParseFailure, tokenize.TokenError, SyntaxError, RecursionError):
        return None
    docstrings = zip(said[0].values(), said[1].values(), strict=True)
    return MovedCode(edited.lines, tuple((old, new) for old, new in docstrings if old != new))


def _taken_out(tree: ast.Module) -> dict[int, str]:
    """The docstrings of a tree by the lines on which they begin; in the tree all are the same from here on."""
    found: dict[int, str] = {}
    for node in walk(tree):
        if isinstance(node, _HOLD_DOCSTRINGS) and node.body and isinstance(node.body[0], ast.Expr):
            first = node.body[0]
            if isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                found[first.lineno] = first.value.value
                first.value.value = ""
                for one in (first, first.value):
                    one.end_lineno, one.end_col_offset = one.lineno, one.col_offset
    return found


def _code(lines: Sequence[str], docstrings: Collection[int]) -> list[tuple[int, str, str]]:
    """The tokens of a text with what stands before them on their lines, those of docstrings without a text.

    Also the lines that go on after a backslash, which would be quoted, and has no token.
    """
    found: list[tuple[int, str, str]] = []
    for one in tokenize.generate_tokens(iter(lines).__next__):
        line, column = one.start
        if one.type == tokenize.NEWLINE:
            found.append((one.type, "", ""))
        elif one.type not in _LAYOUT:
            around = lines[line - 1][:column]
            is_docstring = one.type == tokenize.STRING and line in docstrings and not around.strip()
            found.append((one.type, "" if is_docstring else one.string, around))
    return found + [(tokenize.OP, "\\", line) for line in lines if line.rstrip("\r\n").endswith("\\")]
