"""Whether two texts of a module are the same code on other lines: what differs are comments, blank lines, docstrings.

The trees are then the same but for the lines, and so are all tokens, which messages quote. Bodies of functions may be
others, for those who have not looked at them.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class MovedCode:
    """Where the lines of a text stand in another one of the same code; docstrings that differ, as they were and are.

    ``functions`` are those with other bodies, as they were and as they are.
    """

    lines: MovedLines
    docstrings: tuple[tuple[str, str], ...] = ()
    functions: tuple[tuple[FunctionNode, FunctionNode], ...] = ()

    @property
    def is_in_place(self) -> bool:
        """Whether all code stands where it stood."""
        return self.lines.first is None and not self.functions


def moved_code(before: str, after: str) -> MovedCode | None:
    """How the lines of a text have moved in another one; None where more than bodies of functions is other code."""
    if any(sign in text for sign in _IRREGULAR for text in (before, after)):
        return None
    lines = lines_of(before), lines_of(after)
    try:
        trees = parse(before), parse(after)
        said = _taken_out(trees[0]), _taken_out(trees[1])
        edited = edited_bodies(*trees, *lines)
        if edited is None or not all(_differ_for_those_who_look(*both, *said) for both in edited.functions):
            return None
        olds, news = [old for old, _ in edited.functions], [new for _, new in edited.functions]
        if _code(lines[0], said[0], olds) != _code(lines[1], said[1], news):
            return None
    except (ParseFailure, tokenize.TokenError, SyntaxError, RecursionError):
        return None
    docstrings = zip(*([text for node, text in one.items() if node not in (*olds, *news)] for one in said), strict=True)
    return MovedCode(edited.lines, tuple((old, new) for old, new in docstrings if old != new), edited.functions)


def _taken_out(tree: ast.Module) -> dict[ast.AST, str]:
    """The docstrings of a tree by what they belong to; in the tree all are the same from here on."""
    found: dict[ast.AST, str] = {}
    for node in walk(tree):
        if isinstance(node, _HOLD_DOCSTRINGS) and node.body and isinstance(node.body[0], ast.Expr):
            first = node.body[0]
            if isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                found[node] = first.value.value
                first.value.value = ""
                for one in (first, first.value):
                    one.end_lineno, one.end_col_offset = one.lineno, one.col_offset
    return found


def _differ_for_those_who_look(
    before: FunctionNode, after: FunctionNode, said: dict[ast.AST, str], said_now: dict[ast.AST, str]
) -> bool:
    """Whether nothing but what is seen within a function differs: no definitions, which have records of their own.

    Docstrings are looked at from outside as well, and a body may begin behind the header.
    """
    if said.get(before) != said_now.get(after) or any(one.lineno == one.body[0].lineno for one in (before, after)):
        return False
    return not any(isinstance(node, _DEFINITIONS) for body in (before.body, after.body) for node in walk(body))


def _code(
    lines: Sequence[str], docstrings: Collection[ast.AST], left_out: Sequence[FunctionNode]
) -> list[tuple[int, str, str]]:
    """The tokens of a text with what stands before them on their lines, and where a backslash ends a line.

    Those of docstrings have no text, and those in the bodies of some functions are left out.
    """
    bodies = {line for one in left_out for line in range(one.body[0].lineno, (one.end_lineno or one.lineno) + 1)}
    starts = {node.body[0].lineno for node in docstrings if isinstance(node, _HOLD_DOCSTRINGS)}
    return [*_tokens(lines, bodies, starts), *_backslashes(lines, bodies)]


def _tokens(lines: Sequence[str], left_out: set[int], docstrings: set[int]) -> Iterator[tuple[int, str, str]]:
    for one in tokenize.generate_tokens(iter(lines).__next__):
        line, column = one.start
        if one.type == tokenize.NEWLINE and line not in left_out:
            yield one.type, "", ""
        elif one.type not in _LAYOUT and line not in left_out:
            around = lines[line - 1][:column]
            is_docstring = one.type == tokenize.STRING and line in docstrings and not around.strip()
            yield one.type, "" if is_docstring else one.string, around


def _backslashes(lines: Sequence[str], left_out: set[int]) -> Iterator[tuple[int, str, str]]:
    """The lines that go on after a backslash, which would be quoted, and has no token."""
    for number, line in enumerate(lines, 1):
        if number not in left_out and line.rstrip("\r\n").endswith("\\"):
            yield tokenize.OP, "\\", line
