"""The report of a file after an edit in a function that tells nothing new of others: their conclusions still hold.

What is known of the project was concluded when its files had other texts. The edited file is therefore taken back to
the lines of that text, is told in which contexts its lines run, and is put on the lines of today again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from synclint.analysis.frequency.call_graph import CallGraph
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.expression_facts import Facts, either
from synclint.analysis.results.facts import Call
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.results.observations import Observations, joined
from synclint.analysis.syntax.positions import lines_of
from synclint.running.survey import CodeFile

# Lines that are new have no place in the text before: they get numbers that no line of it has.
_NEW = 10_000_000


@dataclass(frozen=True)
class KnownFile:
    """What was concluded of a file when the project was last put together.

    ``file`` has the text of that time; ``own`` was seen in its share, ``elsewhere`` what the analyses of other shares
    have seen in the file. ``calls`` and ``unresolved`` are the calls in the file, with what they call; ``methods`` are
    the names of all functions, by which the latter are known.
    """

    file: CodeFile
    own: Observations
    elsewhere: tuple[Observations, ...]
    calls: frozenset[tuple[str, Call]]
    unresolved: frozenset[tuple[str, Call]]
    methods: frozenset[str]


def known_file(file: CodeFile, own: Observations, others: Iterable[Observations]) -> KnownFile:
    """What shares have shown of a file."""
    path = str(file.real_path)
    return KnownFile(
        file,
        own,
        tuple(_in_file(seen, path) for seen in others),
        _calls_within(own.calls.items(), path),
        _calls_within(own.unresolved.items(), path),
        frozenset(facts.name for facts in own.functions.values()),
    )


def _in_file(seen: Observations, path: str) -> Observations:
    """What was seen in a file, and the facts about it."""
    facts = {path: seen.facts[path]} if path in seen.facts else {}
    return Observations(events=tuple(event for event in seen.events if event.path == path), facts=facts)


def _calls_within(calls: Iterable[tuple[str, tuple[Call, ...]]], path: str) -> frozenset[tuple[str, Call]]:
    start = f"{path}:"
    return frozenset((key, call) for key, sites in calls for call in sites if call.caller.startswith(start))


def events_after(
    known: KnownFile, file: CodeFile, seen: Observations, graph: CallGraph
) -> tuple[list[SyncEvent], Facts] | None:
    """The events and the facts of a file of which this is seen now; None where others could be concerned."""
    path, name = str(file.real_path), str(file.path)
    before, after = lines_between(known.file.source, file.source)
    back, forth = MovedFile(path, name, before), MovedFile(path, name, after)
    then = moved(seen, back)
    if not _tells_the_same(then, known, path):
        return None
    observed = [event for event in joined([then, *known.elsewhere]).events if event.path == path]
    events = graph.events_instead(observed, name)
    if events is None:
        return None
    found = [
        replace(
            event,
            span=forth.span(event.span),
            context=forth.context(event.context),
            evidence=tuple(map(forth.text, event.evidence)),
            cause=forth.text(event.cause),
        )
        for event in events
    ]
    facts = dict(seen.facts.get(path, {}))
    for other in known.elsewhere:
        for place, fact in moved(other, forth).facts.get(path, {}).items():
            facts[place] = either(facts[place], fact) if place in facts else fact
    return sorted(found, key=lambda event: (event.span, event.construct)), facts


def _tells_the_same(then: Observations, known: KnownFile, path: str) -> bool:
    """Whether functions, loops and calls in a file are those that were known."""
    own = known.own
    unresolved = {name: calls for name, calls in then.unresolved.items() if name in known.methods}
    return (
        all(own.functions.get(key) == facts for key, facts in then.functions.items())
        and all(own.loops.get(key) == loop for key, loop in then.loops.items())
        and _calls_within(then.calls.items(), path) == known.calls
        and _calls_within(unresolved.items(), path) == known.unresolved
    )


def changed_text(before: str, after: str) -> tuple[str, str]:
    """What stands in either text between what both have in common at their beginnings and ends, in whole lines."""
    old, new = lines_of(before), lines_of(after)
    start, end = _in_common(old, new)
    return "".join(old[start : len(old) - end]), "".join(new[start : len(new) - end])


def lines_between(before: str, after: str) -> tuple[Callable[[int], int], Callable[[int], int]]:
    """From the lines of a text to those of an earlier one, and back, by what both have in common around an edit."""
    old, new = lines_of(before), lines_of(after)
    start, end = _in_common(old, new)
    offset = len(new) - len(old)

    def to_old(line: int) -> int:
        if line <= start or offset == 0:
            return line
        return line - offset if line > len(new) - end else line + _NEW

    def to_new(line: int) -> int:
        if line > _NEW:
            return line - _NEW
        return line if line <= start or offset == 0 else line + offset

    return to_old, to_new


def _in_common(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines two texts have in common at their beginnings, and how many at their ends."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    return start, end
