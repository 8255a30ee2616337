"""What is seen in a file after edits of its functions, on its lines of today: events, and the facts for fixes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from synclint.analysis.frequency.contexts import KnownContexts
from synclint.analysis.results.expression_facts import Facts, NodePosition
from synclint.analysis.results.facts import Evidence, FunctionFacts, LoopFacts
from synclint.analysis.results.moved_lines import moved, moved_event, moved_facts
from synclint.analysis.results.observations import Observations
from synclint.running.edited_file import Move
from synclint.running.kept_runs import SeenAfterEdit, Spans
from synclint.running.seen import Seen
from synclint.running.survey import CodeFile


def seen_after_edits(
    file: CodeFile, before: Seen, spans: Spans, now: SeenAfterEdit, known: KnownContexts, moves: Sequence[Move]
) -> Seen | None:
    """What is seen in a file by now; None where that could concern other files.

    ``before`` is what was seen there before the edits, ``spans`` are where the edited functions stood, and ``moves``
    tell how the lines of all edited files have moved; ``known`` is what tells the contexts of functions in the file.
    """
    path = str(file.real_path)
    seen = Observations(now.events, now.functions, now.loops)
    for move in moves:
        seen = moved(seen, move.then)
    contexts = _with_new_loops(known, seen.loops)
    if contexts is None or not _are_known(seen.functions, known, path):
        return None
    events = contexts.events_instead(seen.events, str(file.path))
    if events is None:
        return None
    facts = {place: fact for place, fact in before.facts.items() if not _is_within(place, spans)}
    for move in moves:
        events = [moved_event(event, path, move.now) for event in events]
        facts = moved_facts(facts, path, move.now)
    in_order = sorted(events, key=lambda event: (event.span, event.construct))
    return Seen(in_order, _in_order({**facts, **now.facts}))


def _is_within(place: NodePosition, spans: Spans) -> bool:
    return any(first <= place.line <= last for first, last in spans)


def _in_order(facts: Facts) -> Facts:
    return dict(sorted(facts.items()))


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


def moved_since(seen: Seen, path: str, moves: Iterable[Move]) -> Seen:
    """What was seen in a file at a resolved path, after lines have moved."""
    events, facts = seen.events, seen.facts
    for move in moves:
        events = [moved_event(event, path, move.now) for event in events]
        facts = moved_facts(facts, path, move.now)
    return Seen(sorted(events, key=lambda event: (event.span, event.construct)), facts)
