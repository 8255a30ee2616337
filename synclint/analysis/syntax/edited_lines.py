"""Where each line of a text stands in another one, in which functions do something else, and where it stood."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from synclint.analysis.syntax.edited_bodies import EditedBodies, FunctionNode, edited_bodies, mentioning
from synclint.analysis.syntax.parsing import ParseFailure, compared
from synclint.analysis.syntax.positions import common_ends, lines_of
from synclint.analysis.syntax.quiet_statements import names_bound_by
from synclint.analysis.syntax.receivers import attributes_assigned_by
from synclint.analysis.syntax.walk import walk

# Lines that are new have no place in the text before: they get numbers that no line of it has.
NEW = 10_000_000
# The first and the last line of a function.
Span = tuple[int, int]


@dataclass(frozen=True)
class EditedLines:
    """The numbers of all lines of a text in the one after it (``after``), and the other way round (``before``).

    ``spans`` are the first and the last lines of the functions that may do something else, as these stood and as they
    stand: they have other bodies, or mention ``names`` that the edit has changed at the top of the module, or
    ``names_in_classes``. Those that stood on ``redefined`` lines take other parameters, ``gone`` and ``added`` are the
    functions that only one of the texts has, ``classes`` the lines of those with other attributes of their own, and
    ``imported`` the names that only imports bind. All may assign values to the same attributes of their objects as
    before (``assigns_the_same``). ``docstrings`` are those of the module and its classes that differ.
    """

    after: tuple[int, ...]
    before: tuple[int, ...]
    spans: tuple[tuple[Span, Span], ...]
    assigns_the_same: bool
    redefined: frozenset[int] = frozenset()
    gone: tuple[Span, ...] = ()
    added: tuple[Span, ...] = ()
    names: frozenset[str] = frozenset()
    names_in_classes: frozenset[str] = frozenset()
    imported: frozenset[str] = frozenset()
    classes: frozenset[int] = frozenset()
    docstrings: tuple[tuple[str, str], ...] = ()

    @property
    def is_of_code(self) -> bool:
        """Whether there is other code."""
        return bool(self.spans or self.names or self.names_in_classes)

    @property
    def spans_then(self) -> tuple[Span, ...]:
        """Where all these functions stood."""
        return (*(old for old, _ in self.spans), *self.gone)

    @property
    def spans_now(self) -> tuple[Span, ...]:
        """Where they stand."""
        return (*(new for _, new in self.spans), *self.added)

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


@lru_cache(maxsize=64)  # each of all edited files is asked for again after each edit
def edited_lines(before: str, after: str) -> EditedLines | None:
    """How the lines of two texts of a module belong together; None where they may differ in more than names tell."""
    lines = lines_of(before), lines_of(after)
    try:
        tree = compared(before)
        edited = edited_bodies(tree, compared(after), *lines)
    except ParseFailure:
        return None
    if edited is None:
        return None
    changed = edited.names | edited.names_in_classes
    concerned = mentioning(tree, changed, lines[0]) if changed else []
    if concerned is None:
        return None
    # Whoever calls a function that takes something else is run with it; who may do so elsewhere is known of its runs.
    redefined = frozenset(one.name for one in edited.redefined)
    callers = mentioning(tree, redefined, lines[0]) if redefined else []
    return _lines_after(edited, (*concerned, *(callers or ())), *lines)


def _lines_after(
    edited: EditedBodies, concerned: Iterable[FunctionNode], before: Sequence[str], after: Sequence[str]
) -> EditedLines:
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
    for statement in edited.added:
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            then.pop(line, None)
    most = len(after)
    gone, added = _functions(edited.gone), _functions(edited.added)
    others = {span_of(one): tuple(map(edited.lines, span_of(one))) for one in concerned}
    spans = {**others, **{span_of(old): span_of(new) for old, new in edited.functions}}
    return EditedLines(
        tuple(max(1, min(now, most)) for now in numbers.values()),
        tuple(then.get(line, NEW + line) for line in range(1, most + 1)),
        tuple((old, (new[0], new[1])) for old, new in sorted(spans.items()) if old not in map(span_of, gone)),
        not any(map(attributes_assigned_by, (*gone, *added)))
        and all(attributes_assigned_by(old) == attributes_assigned_by(new) for old, new in edited.functions),
        frozenset(one.lineno for one in edited.redefined),
        tuple(map(span_of, gone)),
        tuple(map(span_of, added)),
        edited.names,
        edited.names_in_classes,
        edited.names - _bound([one for one in (*edited.gone, *edited.added) if not isinstance(one, _IMPORTS)]),
        edited.classes,
        edited.docstrings,
    )


_IMPORTS = (ast.Import, ast.ImportFrom)


def _bound(statements: Iterable[ast.stmt]) -> frozenset[str]:
    return frozenset(name for one in statements for name in names_bound_by(one) or ())


def _functions(statements: Iterable[ast.stmt]) -> list[FunctionNode]:
    return [statement for statement in statements if isinstance(statement, FunctionNode)]


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
