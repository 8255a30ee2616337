"""Whether all calls of a function are known, and what then holds of the waits in it.

A function is run on what its own text says of its parameters, and on the arguments of each call. Where every call of
it is known, what waits on none of them does not wait, whatever the text would allow: ``reduction="none"`` at all calls
leaves no way to what ``reduction="mean"`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace

from synclint.analysis.results.facts import Call, FunctionFacts
from synclint.analysis.results.known_callers import KnownCallers
from synclint.analysis.results.observations import Observation
from synclint.findings import Confidence, Span


def on_host(
    functions: Mapping[str, FunctionFacts],
    calls: Mapping[str, tuple[Call, ...]],
    known_callers: KnownCallers,
    is_unreached: Callable[[str], bool],
) -> frozenset[str]:
    """The functions that prepare data on the host: those that do by themselves, and those that only they call.

    What nothing leads to calls nobody, nor does a method of objects that nobody is seen to make.
    """

    def may_call(caller: str) -> bool:
        facts = functions.get(caller)
        is_made = facts is None or facts.constructor is None or facts.constructor in calls
        return is_made and not is_unreached(caller)

    found = {key for key, facts in functions.items() if facts.on_host}
    found |= {key for key, facts in functions.items() if facts.parent in found}
    waiting = {
        key: {call.caller for call in calls[key] if call.place.path not in known_callers.tests}
        for key, handle in known_callers.handles.items()
        if key in calls and key not in found and handle.public not in known_callers.exported
    }
    while True:
        more = {
            key
            for key, callers in waiting.items()
            if not found.isdisjoint(callers) and not any(may_call(caller) for caller in callers - found)
        }
        if not more:
            return frozenset(found)
        found |= more
        found |= {key for key, facts in functions.items() if facts.parent in found}
        waiting = {key: callers for key, callers in waiting.items() if key not in found}


def without_called_elsewhere(
    functions: Mapping[str, FunctionFacts], calls: Mapping[str, tuple[Call, ...]], tests: Set[str]
) -> dict[str, FunctionFacts]:
    """The functions, of which methods of sets of samples that only others call do not prepare data.

    Such a method undoes for what a model has made what was done to the samples (``dataset.inverse_transform(out)``).
    What Python calls by itself prepares data, whoever else calls it.
    """

    def is_called_elsewhere(key: str, facts: FunctionFacts) -> bool:
        made = [call for call in calls.get(key, ()) if call.place.path not in tests]
        is_free = facts.is_method and not facts.collates and not facts.name.startswith("__")
        return is_free and bool(made) and all(call.is_certain and not prepares(call.caller) for call in made)

    def prepares(key: str) -> bool:
        return key not in functions or functions[key].on_host

    return {
        key: replace(facts, on_host=False) if facts.on_host and is_called_elsewhere(key, facts) else facts
        for key, facts in functions.items()
    }


def counted(seen: Iterable[Observation], switched: frozenset[str], known_callers: KnownCallers) -> list[Observation]:
    """One observation for each expression and construct: what calls show, beside what the text of its function says.

    What can be ``switched`` off, and is, does not count, nor what has to be switched on, and is not. What was seen on
    the text alone, of a function whose calls are all known, is doubtful, and so is what takes a tensor to be on the
    device that no call hands on from there.
    """
    places: dict[tuple[Span, str], list[Observation]] = {}
    for event in seen:
        if event.switch in switched or not (event.switched_on_by is None or event.switched_on_by in switched):
            continue
        places.setdefault((event.span, event.construct), []).append(event)
    pinned = {span for (span, construct), events in places.items() if construct == _PINNED and _are_called(events)}
    told = {(span, _PAGEABLE) for span in pinned if not _are_called(places.get((span, _PAGEABLE), ()))}
    return [_with_doubt(events, known_callers) for place, events in places.items() if place not in told]


# Calls tell better than the text of a function whether a loader pins what the function is given.
_PINNED, _PAGEABLE = "pinned-upload", "upload"


def _are_called(events: Iterable[Observation]) -> bool:
    return any(event.callers for event in events)


# Whether a parameter is data of the host or a tensor is told by calls, where there are any, better than by the text.
_TOLD_BY_CALLS = frozenset(
    {"tensor-from-host-data", "as-tensor-from-host-data", "asarray-from-host-data", "new-tensor"}
)


def _with_doubt(events: list[Observation], known_callers: KnownCallers) -> Observation:
    """What is decided of a place, which is not certain if no call that is seen hands on what it would wait for."""
    found = _decided(events, known_callers)
    if found.confidence is not Confidence.HIGH:
        return found
    hardly = known_callers.hardly_elsewhere
    is_doubtful = all(event.rests_on and hardly.issuperset(event.rests_on) for event in events)
    return replace(found, confidence=Confidence.MEDIUM) if is_doubtful else found


def _decided(events: list[Observation], known_callers: KnownCallers) -> Observation:
    left = [event for event in events if not event.rests_on or not known_callers.on_cpu.issuperset(event.rests_on)]
    if not left:
        return replace(events[0], confidence=Confidence.LOW)
    events = left
    by_calls = [event for event in events if event.callers]
    all_known = known_callers.all_known(events[0].function)
    if not by_calls:
        # What is certain on the text stands where nothing else can: behind a test for what is no tensor.
        is_doubtful = events[0].construct in _TOLD_BY_CALLS and events[0].confidence is not Confidence.HIGH
        is_called = is_doubtful and events[0].function in known_callers.called
        return replace(events[0], confidence=Confidence.LOW) if all_known or is_called else events[0]
    decided_by_calls = all_known or events[0].construct in _TOLD_BY_CALLS
    best = (
        by_calls[0] if decided_by_calls else max(events, key=lambda event: (event.confidence.rank, bool(event.callers)))
    )
    is_by_text = not decided_by_calls and any(
        not event.callers and event.confidence is not Confidence.LOW for event in events
    )
    if best.callers == by_calls[0].callers and not is_by_text:
        return best
    return replace(best, callers=by_calls[0].callers, ways=by_calls[0].ways, is_by_text=is_by_text)
