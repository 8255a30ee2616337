"""What is seen in a file after edits of its functions, on its lines of today: events, and the facts for fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from synclint.analysis.frequency.contexts import KnownContexts
from synclint.analysis.results.expression_facts import NodePosition
from synclint.analysis.results.facts import Evidence, FunctionFacts, LoopFacts
from synclint.analysis.results.moved_lines import moved, moved_facts
from synclint.analysis.results.observations import Observations
from synclint.analysis.results.unmentioned import mentioned_once
from synclint.running.edited_file import Move, events_now
from synclint.running.edited_text import SeenAfterEdit, Spans
from synclint.running.seen import Seen
from synclint.running.survey import CodeFile


def seen_now(seen: Seen, path: str, moves: Iterable[Move]) -> Seen:
    """What was seen in the file at a resolved path, on the lines of today."""
    moves, facts = tuple(moves), seen.facts
    for move in moves:
        facts = moved_facts(facts, path, move.now)
    return Seen(events_now(seen.events, moves, path), facts)


def seen_after_edits(
    file: CodeFile,
    before: Seen,
    spans: Spans,
    now: SeenAfterEdit,
    known: KnownContexts,
    moves: Sequence[Move],
    sources: Callable[[], Iterable[str]],
) -> Seen | None:
    """What is seen in a file by now; None where that could concern other files.

    ``before`` is what was seen there before the edits, ``spans`` are where the edited functions stood, and ``moves``
    tell how the lines of all edited files have moved; ``known`` is what tells the contexts of functions in the file.
    ``sources`` are the texts of the project in which functions may be mentioned.
    """
    path = str(file.real_path)
    seen = Observations(now.events, now.functions, now.loops)
    for move in moves:
        seen = moved(seen, move.then)
    contexts = _with_new_loops(known, seen.loops)
    if contexts is None or not _are_known(seen.functions, known, path):
        return None
    events = contexts.events_instead(seen.events, str(file.path), lambda names: mentioned_once(names, sources()))
    if events is None:
        return None
    kept = {place: fact for place, fact in before.facts.items() if not _is_within(place, spans)}
    elsewhere = seen_now(Seen([], kept), path, moves)
    return Seen(events_now(events, moves, path), {**elsewhere.facts, **now.facts})


def _is_within(place: NodePosition, spans: Spans) -> bool:
    return any(first <= place.line <= last for first, last in spans)


def _are_known(functions: Mapping[str, FunctionFacts], known: KnownContexts, path: str) -> bool:
    """Whether the functions of a file are those that are known, as far as their own text tells of them."""
    there = known.frequencies.code.functions
    own = {key: facts for key, facts in functions.items() if key.startswith(f"{path}:")}
    return all(key in there and _own_text(there[key]) == _own_text(facts) for key, facts in own.items())


def _own_text(facts: FunctionFacts) -> FunctionFacts:
    """What is known of a function but for what others do with it."""
    return replace(facts, captured=None, on_host=False)


def _with_new_loops(known: KnownContexts, loops: Mapping[str, LoopFacts]) -> KnownContexts | None:
    """What is known, with loops in which nothing was seen before; None where these may be steps of a training."""
    code = known.frequencies.code
    new = {key: loop for key, loop in loops.items() if key not in code.loops}
    if not all(map(_trains_nothing, new.values())):
        return None
    rounds = {key: loop.evidence for key, loop in new.items()}
    code = replace(code, loops={**code.loops, **new}, rounds={**code.rounds, **rounds})
    return replace(known, frequencies=replace(known.frequencies, code=code))


def _trains_nothing(loop: LoopFacts) -> bool:
    """Whether a loop says nothing of the loops and functions around it."""
    return loop.evidence in (Evidence.NONE, Evidence.FEW) and not loop.holds_steps
