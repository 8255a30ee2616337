"""Where each line of a text stands in another one, in which functions have other bodies, and where it stood."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from synclint.analysis.syntax.edited_bodies import EditedBodies, FunctionNode, edited_bodies
from synclint.analysis.syntax.parsing import ParseFailure, compared
from synclint.analysis.syntax.positions import common_ends, lines_of
from synclint.analysis.syntax.receivers import attributes_assigned_by
from synclint.analysis.syntax.walk import walk

# Lines that are new have no place in the text before: they get numbers that no line of it has.
NEW = 10_000_000
# The first and the last line of a function.
Span = tuple[int, int]


@dataclass(frozen=True)
class EditedLines:
    """The numbers of all lines of a text in the one after it (``after``), and the other way round (``before``).

    ``spans`` are the first and the last lines of the functions with other bodies, as these stood and as they stand.
    These may assign values to the same attributes of their objects as before (``assigns_the_same``).
    """

    after: tuple[int, ...]
    before: tuple[int, ...]
    spans: tuple[tuple[Span, Span], ...]
    assigns_the_same: bool

    def now(self, line: int) -> int:
        """Where a line stands now; of one that is gone, where it would stand."""
        if line > NEW:
            return line - NEW
        if line > len(self.after):
            return line + len(self.before) - len(self.after)
        return self.after[line - 1] if line > 0 else line

    def then(self, line: int) -> int:
        """Where a line stood; of one that is new, a number that no line had."""
        if line > len(self.before):
            return line + len(self.after) - len(self.before)
        return self.before[line - 1] if line > 0 else line


@lru_cache(maxsize=8)
def edited_lines(before: str, after: str) -> EditedLines | None:
    """How the lines of two texts of a module belong together; None where they differ in more than bodies."""
    lines = lines_of(before), lines_of(after)
    try:
        edited = edited_bodies(compared(before), compared(after), *lines)
    except ParseFailure:
        return None
    return None if edited is None else lines_after(edited, *lines)


def lines_after(edited: EditedBodies, before: Sequence[str], after: Sequence[str]) -> EditedLines:
    """How lines belong together where so much was edited: outside of bodies, they stand where their code does.

    Within a body, as many lines in the place of others are taken for these, with something else on them.
    """
    numbers = {line: edited.lines(line) for line in range(1, len(before) + 1)}
    # Lines of comments that are gone stand before those with code that have taken their places.
    then = {now: line for line, now in numbers.items()}
    for old, new in edited.functions:
        body, body_now = _body(old), _body(new)
        last, kept = body_now.start - 1, dict(_kept(before, body, after, body_now))
        for line in body:
            last = numbers[line] = kept.get(line, last)
        for line in body_now:
            then.pop(line, None)
        then.update({now: line for line, now in kept.items()})
    most = len(after)
    return EditedLines(
        tuple(max(1, min(now, most)) for now in numbers.values()),
        tuple(then.get(line, NEW + line) for line in range(1, most + 1)),
        tuple((span_of(old), span_of(new)) for old, new in edited.functions),
        all(attributes_assigned_by(old) == attributes_assigned_by(new) for old, new in edited.functions),
    )


def span_of(function: FunctionNode) -> Span:
    """The first and the last line of a function."""
    return function.lineno, function.end_lineno or function.lineno


def _body(function: FunctionNode) -> range:
    """The lines behind the header of a function."""
    header = (part for part in ast.iter_child_nodes(function) if not isinstance(part, ast.stmt))
    lines = (getattr(node, "end_lineno", 0) or 0 for part in header for node in walk(part))
    first, last = span_of(function)
    return range(max((first, *lines)) + 1, last + 1)


def _kept(before: Sequence[str], body: range, after: Sequence[str], body_now: range) -> Iterator[tuple[int, int]]:
    """The lines of a body that are still there, and where they are."""
    old, new = before[body.start - 1 : body.stop - 1], after[body_now.start - 1 : body_now.stop - 1]
    start, end = common_ends(old, new)
    last, last_now = len(old) - end, len(new) - end
    between = SequenceMatcher(None, old[start:last], new[start:last_now], autojunk=False).get_opcodes()
    blocks = [(start + first, start + stop, start + now, start + stop_now) for _, first, stop, now, stop_now in between]
    for first, stop, first_now, stop_now in ((0, start, 0, start), *blocks, (last, len(old), last_now, len(new))):
        if stop - first == stop_now - first_now:
            yield from ((body.start + line, body_now.start + first_now - first + line) for line in range(first, stop))
