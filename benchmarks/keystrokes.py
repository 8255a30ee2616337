"""Keystrokes of somebody who edits a file: each thing is typed letter by letter, so that most texts on the way do not
parse, or say something else than what is meant in the end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

_STATEMENTS = (
    "total = {name} + 1",
    "print({name})",
    "if {name} is None:\n    return None",
    "values = [one for one in {name}]",
    'logger.info(f"{{{name}}}")',
    "scale = float({name}.max())",
    "{name} = {name}.to(device)",
    "for index in range(3):\n    count = index",
    "assert {name} is not None",
)
_COMMENTS = ("# what is left of the batch", "# TODO: without a copy", "# see above")
_WORDS = ("Also see above.", "Of any shape.", "It is changed in place.")
_NESTED = ("key = lambda one: one + 1", "def scaled(one):\n    return one * 2")
_IMPORTS = ("import math", "from functools import partial")


@dataclass(frozen=True)
class Keystroke:
    """A text after a keystroke, and what is being typed: a ``kind`` of edit."""

    kind: str
    text: str


def keystrokes(text: str, chosen: Random, edits: int) -> Iterator[Keystroke]:
    """The texts of a file while so many things are typed into it, one after the other, most of them in one function."""
    kinds, weights = zip(*_KINDS.items(), strict=True)
    place = _Place(chosen)
    for kind in chosen.choices(kinds, weights, k=edits):
        before = text
        for after in _KINDS_OF_EDITS[kind](before, place):
            text = after
            yield Keystroke(kind, text)
        if not _parses(text):  # Python tells wrong places within f-strings, up to 3.11
            text = before
            yield Keystroke(kind, text)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


class _Place:
    """The function in which somebody is at work, which is another one now and then."""

    def __init__(self, chosen: Random) -> None:
        self.chosen = chosen
        self._name = ""

    def function(self, text: str) -> ast.FunctionDef:
        """The function as it is now."""
        functions = [
            node
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef) and len(node.body) > 2 and node.args.args
        ]
        here = [node for node in functions if node.name == self._name]
        found = here[0] if here and self.chosen.random() < 0.8 else self.chosen.choice(functions)
        self._name = found.name
        return found


def _typed(text: str, at: int, said: str) -> Iterator[str]:
    """A text into which something is typed at a place; an editor indents what follows a line by itself."""
    for end in range(1, len(said) + 1):
        if said[end - 1] != " " or said[:end].strip(" ")[-1:] != "\n":
            yield text[:at] + said[:end] + text[at:]


def _start(text: str, line: int) -> int:
    return sum(map(len, text.splitlines(keepends=True)[: line - 1]))


def _lines_typed(text: str, line: int, column: int, said: str) -> Iterator[str]:
    """New lines above another one; the first keystroke opens them."""
    indentation = " " * column
    at = _start(text, line)
    opened = f"{text[:at]}{indentation}\n{text[at:]}"
    yield opened
    yield from _typed(opened, at + column, said.replace("\n", f"\n{indentation}"))


def _statement(text: str, place: _Place) -> Iterator[str]:
    function = place.function(text)
    below = place.chosen.choice(function.body[1:])
    name = place.chosen.choice(function.args.args).arg
    said = place.chosen.choice(_STATEMENTS).format(name=name)
    yield from _lines_typed(text, below.lineno, below.col_offset, said)


def _comment(text: str, place: _Place) -> Iterator[str]:
    below = place.chosen.choice(place.function(text).body[1:])
    yield from _lines_typed(text, below.lineno, below.col_offset, place.chosen.choice(_COMMENTS))


def _nested(text: str, place: _Place) -> Iterator[str]:
    below = place.chosen.choice(place.function(text).body[1:])
    yield from _lines_typed(text, below.lineno, below.col_offset, place.chosen.choice(_NESTED))


def _expression(text: str, place: _Place) -> Iterator[str]:
    """A name or number within a function is deleted letter by letter, and another one typed."""
    function = place.function(text)
    nodes = [node for statement in function.body[1:] for node in ast.walk(statement)]
    names = [node for node in nodes if _is_read(node) and isinstance(node, ast.expr)]
    if not names:
        return
    node = place.chosen.choice(names)
    line = text.splitlines(keepends=True)[node.lineno - 1]
    start = _start(text, node.lineno) + len(line.encode()[: node.col_offset].decode())
    size = len(line.encode()[node.col_offset : node.end_col_offset].decode())
    for left in reversed(range(size)):
        text = text[: start + left] + text[start + left + 1 :]
        yield text
    yield from _typed(text, start, place.chosen.choice(function.args.args).arg)


def _is_read(node: ast.AST) -> bool:
    """Whether this is a name that is read, or a number."""
    if isinstance(node, ast.Name):
        return isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _deletion(text: str, place: _Place) -> Iterator[str]:
    """A statement is deleted at once."""
    statement = place.chosen.choice(place.function(text).body[1:])
    lines = text.splitlines(keepends=True)
    yield "".join(lines[: statement.lineno - 1] + lines[statement.end_lineno :])


def _docstring(text: str, place: _Place) -> Iterator[str]:
    """Words at the end of a docstring, or a comment where there is none."""
    function = place.function(text)
    first = function.body[0]
    if not (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    ):
        yield from _comment(text, place)
        return
    lines = text.splitlines(keepends=True)
    last = (first.end_lineno or first.lineno) - 1
    at = _start(text, last + 1) + lines[last].rindex(text_quotes(lines[last]))
    yield from _typed(text, at, f" {place.chosen.choice(_WORDS)}")


def text_quotes(line: str) -> str:
    """The quotation marks at the end of a line."""
    return line.rstrip()[-3:] if line.rstrip().endswith(('"""', "'''")) else line.rstrip()[-1:]


def _default(text: str, place: _Place) -> Iterator[str]:
    """A default that is a number or None becomes another one."""
    function = place.function(text)
    defaults = [node for node in function.args.defaults if isinstance(node, ast.Constant)]
    if not defaults:
        yield from _statement(text, place)
        return
    node = place.chosen.choice(defaults)
    start = _start(text, node.lineno) + node.col_offset
    end = _start(text, node.end_lineno or node.lineno) + (node.end_col_offset or 0)
    text = text[:start] + text[end:]
    yield text
    yield from _typed(text, start, place.chosen.choice(("None", "1", "True")))


def _parameter(text: str, place: _Place) -> Iterator[str]:
    """A parameter with a default behind all others."""
    function = place.function(text)
    last = function.args.args[-1]
    if function.args.kwonlyargs or function.args.vararg or function.args.kwarg or function.args.defaults:
        yield from _statement(text, place)
        return
    at = _start(text, last.end_lineno or last.lineno) + (last.end_col_offset or 0)
    yield from _typed(text, at, ", extra=None")


def _import(text: str, place: _Place) -> Iterator[str]:
    first = next(node for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom)))
    yield from _lines_typed(text, first.lineno, 0, place.chosen.choice(_IMPORTS))


def _attribute(text: str, place: _Place) -> Iterator[str]:
    """Another attribute in a constructor."""
    constructors = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    ]
    if not constructors:
        yield from _statement(text, place)
        return
    below = place.chosen.choice(constructors).body[-1]
    yield from _lines_typed(text, below.lineno, below.col_offset, "self.more = 1")


# How many of a hundred edits are of which kind.
_KINDS = {
    "statement": 38,
    "expression": 20,
    "comment": 10,
    "docstring": 8,
    "deletion": 8,
    "nested function": 4,
    "default": 3,
    "parameter": 3,
    "import": 3,
    "attribute": 3,
}
_KINDS_OF_EDITS: dict[str, Callable[[str, _Place], Iterator[str]]] = {
    "statement": _statement,
    "expression": _expression,
    "comment": _comment,
    "docstring": _docstring,
    "deletion": _deletion,
    "nested function": _nested,
    "default": _default,
    "parameter": _parameter,
    "import": _import,
    "attribute": _attribute,
}
