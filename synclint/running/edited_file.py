"""The events of a file after an edit in a function that tells nothing new of others: their conclusions still hold.

What is known of the project was concluded when its files had other texts. What is seen in the edited file is therefore
put on the lines of that text, where the contexts of all functions are known, and from there on those of today.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.expression_facts import Facts, either
from synclint.analysis.results.facts import MOST_UNRESOLVED, Call, FunctionFacts
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.results.observations import Key, Observations, joined
from synclint.analysis.results.signatures import Asked
from synclint.analysis.syntax.edited_bodies import MovedLines
from synclint.analysis.syntax.edited_lines import NEW, EditedLines
from synclint.analysis.syntax.positions import common_ends, lines_of
from synclint.running.survey import CodeFile


@dataclass(frozen=True)
class LinesSince:
    """The lines of a text, each with the number that it had in the text ``before`` all edits."""

    lines: tuple[str, ...]
    before: tuple[int, ...]
    edits: int = 0

    @cached_property
    def _now(self) -> Mapping[int, int]:
        return {before: line for line, before in enumerate(self.before, 1)}

    @property
    def source(self) -> str:
        """The text."""
        return "".join(self.lines)

    def then(self, line: int) -> int:
        """The number that a line had before."""
        return self.before[line - 1] if line <= len(self.before) else line

    def now(self, line: int) -> int:
        """The number that a line has now; of one that is gone, the one that it had."""
        return self._now.get(line, line)

    def edited(self, source: str) -> tuple[LinesSince, str, str]:
        """The lines of another text; and what stood, and what stands, between what both have in common at their ends.

        As many lines in the place of others are taken for these, with something else on them.
        """
        old, new = self.lines, tuple(lines_of(source))
        start, end = common_ends(old, new)
        removed, added = slice(start, len(old) - end), slice(start, len(new) - end)
        edits = self.edits + 1
        if len(old) == len(new):
            numbers = self.before
        else:
            fresh = range(NEW * edits + start, NEW * edits + len(new) - end)
            numbers = (*self.before[:start], *fresh, *self.before[len(old) - end :])
        return LinesSince(new, numbers, edits), "".join(old[removed]), "".join(new[added])


def lines_since(source: str) -> LinesSince:
    """The lines of a text that has not been edited."""
    lines = tuple(lines_of(source))
    return LinesSince(lines, tuple(range(1, len(lines) + 1)))


@dataclass(frozen=True)
class KnownInShare:
    """What the analysis of a share has shown: all of it, and the events, facts and calls in one file.

    ``methods`` are the names of all functions, by which calls of methods of something unknown are known.
    """

    observed: Observations
    in_file: Observations
    calls: frozenset[tuple[str, Call]]
    unresolved: frozenset[tuple[Asked, Call]]
    methods: frozenset[str]


def known_in_share(file: CodeFile, observed: Observations) -> KnownInShare:
    """What a share has shown of a file."""
    path = str(file.real_path)
    facts = {path: observed.facts[path]} if path in observed.facts else {}
    return KnownInShare(
        observed,
        Observations(events=tuple(event for event in observed.events if event.path == path), facts=facts),
        _calls_within(observed.calls.items(), path),
        _calls_within(observed.unresolved.items(), path),
        frozenset(facts.name for facts in observed.functions.values()),
    )


def _calls_within(calls: Iterable[tuple[Key, tuple[Call, ...]]], path: str) -> frozenset[tuple[Key, Call]]:
    start = f"{path}:"
    return frozenset((key, call) for key, sites in calls for call in sites if call.caller.startswith(start))


@dataclass(frozen=True)
class Move:
    """An edited file, on the lines of its text before all edits (``then``), and on those of today."""

    then: MovedFile
    now: MovedFile


def move_by(file: CodeFile, lines: MovedLines, count: int) -> Move:
    """How the lines of a file, of which it had a ``count``, have moved where they hold the same code."""
    # Lines of comments that are gone stand before those with code that have taken their places.
    then = {lines(line): line for line in range(1, count + 1)}
    path, name = str(file.real_path), str(file.path)
    return Move(MovedFile(path, name, lambda line: then.get(line, NEW + line)), MovedFile(path, name, lines))


def move_of(file: CodeFile, lines: LinesSince | EditedLines) -> Move:
    """How the lines of a file have moved."""
    path, name = str(file.real_path), str(file.path)
    return Move(MovedFile(path, name, lines.then), MovedFile(path, name, lines.now))


def events_after(
    file: CodeFile,
    moves: Sequence[Move],
    shown: Sequence[tuple[KnownInShare, Observations | None]],
    functions: Mapping[str, FunctionFacts],
    graph: CallGraph,
) -> tuple[list[SyncEvent], Facts] | None:
    """The events and the facts of a file, by what each share has shown of it, or what is seen there now.

    ``moves`` are those of all files that were edited, ``functions`` are all those of the file. None where what is seen
    now could concern other files.
    """
    path, name = str(file.real_path), str(file.path)
    own = Observations(functions=functions)
    for move in moves:
        own = moved(own, move.then)
    if not graph.is_said_of(own.functions):
        return None
    observed: list[Observations] = []
    facts: Facts = {}
    for known, seen in shown:
        if seen is None:
            then = now = known.in_file
            for move in moves:
                now = moved(now, move.now)
        else:
            then = now = seen
            for move in moves:
                then = moved(then, move.then)
            if not _shows_the_same(then, known, path):
                return None
        observed.append(then)
        for place, fact in now.facts.get(path, {}).items():
            facts[place] = either(facts[place], fact) if place in facts else fact
    here = [event for event in joined(observed).events if event.path == path]
    events = graph.events_instead(here, name)
    if events is None:
        return None
    return events_now(events, moves, path), facts


def likely_events(
    file: CodeFile, moves: Sequence[Move], seen: Observations, graph: CallGraph
) -> tuple[list[SyncEvent], Facts]:
    """The events and the facts of a file by what is seen there now, as far as it is told how often they happen."""
    path, name = str(file.real_path), str(file.path)
    then = seen
    for move in moves:
        then = moved(then, move.then)
    events = graph.likely_events([event for event in joined([then]).events if event.path == path], name)
    return events_now(events, moves, path), seen.facts.get(path, {})


def events_now(events: Iterable[SyncEvent], moves: Iterable[Move], path: str) -> list[SyncEvent]:
    """The events of the file at a resolved path on the lines of today."""
    for move in moves:
        events = [moved(event, move.now, is_here=path == move.now.real_path) for event in events]
    return sorted(events, key=lambda event: (event.span, event.construct))


def _shows_the_same(then: Observations, known: KnownInShare, path: str) -> bool:
    """Whether functions, loops and calls in a file are those that were known."""
    observed = known.observed
    return (
        all(observed.functions.get(key) == facts for key, facts in then.functions.items())
        and all(observed.loops.get(key) == loop for key, loop in then.loops.items())
        and _calls_within(then.calls.items(), path) == known.calls
        and _are_unresolved_as_before(then, known, path)
        and then.handed.get(path, {}) == observed.handed.get(path, {})
    )


def _are_unresolved_as_before(then: Observations, known: KnownInShare, path: str) -> bool:
    """Whether the calls on something unknown in a file are those that were known.

    Of what is asked for often only the first places are known, in the order of the recorder: others change nothing.
    """
    most = {
        asked: max(call.place[::-1] for call in calls)
        for asked, calls in known.observed.unresolved.items()
        if len(calls) >= MOST_UNRESOLVED
    }
    called = _calls_within(then.unresolved.items(), path)
    return known.unresolved <= called and all(
        asked in most and call.place[::-1] > most[asked] and call.place.line < NEW
        for asked, call in called - known.unresolved
    )
