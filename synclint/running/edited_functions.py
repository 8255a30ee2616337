"""What is seen in a file after edits of its functions, on its lines of today: events, and the facts for fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from synclint.analysis.frequency.contexts import KnownContexts
from synclint.analysis.frequency.uncalled import with_uncalled
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.expression_facts import Facts
from synclint.analysis.results.facts import Evidence, FunctionFacts, LoopFacts
from synclint.analysis.results.moved_lines import moved
from synclint.analysis.results.observations import Observation, Observations
from synclint.running.edited_file import Move, events_now
from synclint.running.seen import SeenInFile
from synclint.running.survey import CodeFile

# The first and the last lines of some functions.
Spans: TypeAlias = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class SeenAfterEdit:
    """What is seen in a file with edited functions, on the lines of its new text.

    ``facts`` are those about the edited functions, which stand at ``spans``; ``functions`` and ``loops`` are those in
    which anything is seen, or that are called, from there, ``own`` are all functions of the file. ``taken`` and
    ``left`` are names that the edited functions take for something else than the function of a call, and did not
    before; and the other way round.
    """

    events: tuple[Observation, ...]
    facts: Facts = field(default_factory=dict)
    spans: Spans = ()
    functions: Mapping[str, FunctionFacts] = field(default_factory=dict)
    loops: Mapping[str, LoopFacts] = field(default_factory=dict)
    own: Mapping[str, FunctionFacts] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()

    def has_events_within(self, spans: Spans) -> bool:
        """Whether anything is seen on some lines of the new text."""
        return any(is_within(event.span.start.line, spans) for event in self.events)


class KnownProject(Protocol):
    """What is known of a project since its last run."""

    def contexts(self, path: str) -> KnownContexts | None:
        """What tells the contexts of functions in the file at a resolved path; None where nothing is known."""

    def are_told_of(self, functions: Mapping[str, FunctionFacts]) -> bool:
        """Whether something tells of functions that nobody calls."""


def seen_now(seen: SeenInFile, path: str, moves: Iterable[Move]) -> SeenInFile:
    """What was seen in the file at a resolved path, on the lines of today."""
    moves, facts = tuple(moves), seen.facts
    for move in moves:
        facts = moved(facts, move.now, is_here=path == move.now.real_path)
    return SeenInFile(events_now(seen.events, moves, path), facts)


def seen_after_edits(
    file: CodeFile,
    before: SeenInFile,
    spans: Spans,
    now: SeenAfterEdit,
    project: KnownProject,
    moves: Sequence[Move],
) -> SeenInFile | None:
    """What is seen in a file by now; None where that could concern other files.

    ``before`` is what was seen there before the edits, ``spans`` are where the edited functions stood, and ``moves``
    tell how the lines of all edited files have moved.
    """
    path = str(file.real_path)
    seen, own = Observations(now.events, now.functions, now.loops), Observations(functions=now.own)
    for move in moves:
        seen, own = moved(seen, move.then), moved(own, move.then)
    known = project.contexts(path)
    if known is None or not known.frequencies.code.is_said_of(own.functions):
        return None
    if not all(_says_as_much(*both) for both in _loops_within(path, spans, known.frequencies.code.loops, seen.loops)):
        return None
    contexts = _with_new(known, seen, project, path)
    if contexts is None:
        return None
    events = contexts.events_instead(seen.events, str(file.path))
    if events is None:
        return None
    return _seen_with(events, path, before, spans, now, moves)


def likely_after_edits(
    file: CodeFile, before: SeenInFile, spans: Spans, now: SeenAfterEdit, project: KnownProject, moves: Sequence[Move]
) -> SeenInFile | None:
    """The same by what is known of the project, as if that could not concern other files; None where nothing is."""
    path = str(file.real_path)
    seen, known = Observations(now.events), project.contexts(path)
    for move in moves:
        seen = moved(seen, move.then)
    if known is None:
        return None
    return _seen_with(known.likely_events(seen.events, str(file.path)), path, before, spans, now, moves)


def _seen_with(
    events: Iterable[SyncEvent],
    path: str,
    before: SeenInFile,
    spans: Spans,
    now: SeenAfterEdit,
    moves: Sequence[Move],
) -> SeenInFile:
    """What is seen in the file at a path, with the facts about edited functions in the place of those ``before``."""
    kept = {place: fact for place, fact in before.facts.items() if not is_within(place.line, spans)}
    elsewhere = seen_now(SeenInFile([], kept), path, moves)
    return SeenInFile(events_now(events, moves, path), {**elsewhere.facts, **now.facts})


def is_within(line: int, spans: Spans) -> bool:
    """Whether a line is one of those of some functions."""
    return any(first <= line <= last for first, last in spans)


def _with_new(known: KnownContexts, seen: Observations, project: KnownProject, path: str) -> KnownContexts | None:
    """What is known of a file, with the functions and loops in which nothing was seen before.

    None where others may be concerned by these.
    """
    code = known.frequencies.code
    new = {
        key: facts for key, facts in seen.functions.items() if key.startswith(f"{path}:") and key not in code.functions
    }
    loops = {key: loop for key, loop in seen.loops.items() if key not in code.loops}
    if not all(map(_trains_nothing, loops.values())) or not all(key.startswith(f"{path}:") for key in loops):
        return None
    if project.are_told_of(new):
        return None
    return with_uncalled(known, seen.functions, new, loops, project.contexts)


def _loops_within(
    path: str, spans: Spans, before: Mapping[str, LoopFacts], now: Mapping[str, LoopFacts]
) -> Iterator[tuple[LoopFacts, LoopFacts | None]]:
    """The loops that were known in edited functions of a file, and what they are now; None where nothing is seen."""
    for key, loop in before.items():
        name, line, _ = key.rsplit(":", 2)
        if name == path and is_within(int(line), spans):
            yield loop, now.get(key)


def _says_as_much(before: LoopFacts, now: LoopFacts | None) -> bool:
    """Whether a loop says as much of others as it did: of whether anything trains."""
    return before == now or (_trains_nothing(before) and (now is None or _trains_nothing(now)))


def _trains_nothing(loop: LoopFacts) -> bool:
    """Whether a loop says nothing of the loops and functions around it."""
    return loop.evidence in (Evidence.NONE, Evidence.FEW) and not loop.holds_steps
