"""What the analysis of some files of a project has seen, as plain records that can be sent, kept and joined.

A function may be called from files that are analysed elsewhere, by another process or at another time. How often it
runs, and what it is given, is therefore known only when all observations have been brought together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeVar

from synclint.analysis.results.expression_facts import Facts, either
from synclint.analysis.results.expressions import Expression
from synclint.analysis.results.facts import (
    Call,
    CallsBehind,
    FunctionFacts,
    Guard,
    Handed,
    Layer,
    LoopFacts,
    OpaqueCall,
    Region,
    Slot,
    either_handed,
)
from synclint.analysis.results.known_callers import KnownCallers, joined_callers
from synclint.analysis.results.signatures import Asked
from synclint.findings import CallPlace, Confidence, Phase, Span
from synclint.frozen import dataclass

Key = TypeVar("Key", bound=str | Asked)


@dataclass(frozen=True)
class Observation:
    """An expression that makes the host wait, as one run over its function has shown it.

    ``path`` is the resolved path of the file, ``construct`` the id of the catalogue entry, ``subject`` the operand
    that decides, as written, and ``facts`` what was inferred about it. ``function`` is the key of the function, or of
    the top of the module, that it stands in, ``layers`` what stands around it there. ``switch`` is the function by
    which a program can turn the wait off, ``switched_on_by`` what somebody has to do for it; ``cause`` is the place
    where the chain of inferences begins. ``callers`` are the calls of the function under which it was seen, none where
    the function's own text has shown it. It ``rests_on`` what is not known of parameters, where in every view of it one
    of these is taken to be on the device. ``is_by_text`` tells of what calls have shown that the function's own text
    shows it as well, so that others may make it wait, too.
    Calls that come to it behind other guards than others do are told apart by ``ways``.
    """

    path: str
    span: Span
    construct: str
    subject: str
    facts: str
    confidence: Confidence
    evidence: tuple[str, ...]
    function: str
    layers: tuple[Layer, ...]
    switch: str | None = None
    cause: str = ""
    callers: tuple[CallPlace, ...] = ()
    rests_on: tuple[Slot, ...] = ()
    is_by_text: bool = False
    ways: tuple[CallsBehind, ...] = ()
    switched_on_by: str | None = None

    @property
    def ways_there(self) -> tuple[CallsBehind, ...]:
        """What stands around it, with the calls under which that is so."""
        return self.ways or (CallsBehind(self.layers, self.callers),)


@dataclass(frozen=True)
class Recorded:
    """The expressions that somebody asked for (see ``state/recording``).

    ``functions`` and ``unresolved`` are those of the observations and, besides, those that only the expressions need:
    that somebody asks must not change how often others are said to run.
    """

    expressions: tuple[Expression, ...] = ()
    functions: Mapping[str, FunctionFacts] = field(default_factory=dict)
    unresolved: Mapping[Asked, tuple[Call, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Observations:
    """Everything seen: ``functions`` and ``loops`` by their keys, and the calls of each function.

    ``unresolved`` are calls of methods, by what is asked for, of objects of which nothing is known. ``switched`` are
    the functions that were called to turn waits off everywhere, and what turns others on; ``known_callers`` tell of
    which functions all calls are known. ``recorded`` is what somebody asked for besides; ``facts`` are those of the
    functions with waits that can be fixed, by path. Where contracts ask, ``opaque`` are the calls in each function that
    cannot be followed, and ``regions`` those in which waits are accepted, by their keys. ``handed`` is what all calls
    in a file hand to methods of something unknown that are asked for the same, by the path of the file.
    """

    events: tuple[Observation, ...] = ()
    functions: Mapping[str, FunctionFacts] = field(default_factory=dict)
    loops: Mapping[str, LoopFacts] = field(default_factory=dict)
    calls: Mapping[str, tuple[Call, ...]] = field(default_factory=dict)
    unresolved: Mapping[Asked, tuple[Call, ...]] = field(default_factory=dict)
    switched: frozenset[str] = frozenset()
    known_callers: KnownCallers = field(default_factory=KnownCallers)
    recorded: Recorded = field(default_factory=Recorded)
    facts: Mapping[str, Facts] = field(default_factory=dict)
    opaque: Mapping[str, tuple[OpaqueCall, ...]] = field(default_factory=dict)
    regions: Mapping[str, Region] = field(default_factory=dict)
    handed: Mapping[str, Mapping[Asked, tuple[Handed, ...]]] = field(default_factory=dict)


def joined(parts: Iterable[Observations]) -> Observations:
    """All that was seen in several analyses; of observations of one expression the most telling one counts."""
    events: dict[tuple[str, Span, str, bool], Observation] = {}
    loops: dict[str, LoopFacts] = {}
    switched: set[str] = set()
    facts_by_path: dict[str, Facts] = {}
    parts = tuple(parts)
    for part in parts:
        switched |= part.switched
        for path, facts in part.facts.items():
            into_file = facts_by_path.setdefault(path, {})
            for node, fact in facts.items():
                other = into_file.get(node)
                into_file[node] = fact if other is None else either(other, fact)
        for event in part.events:
            place = (event.path, event.span, event.construct, bool(event.callers))
            known = events.get(place)
            if known is None:
                events[place] = event
                continue
            callers = tuple(dict.fromkeys((*known.callers, *event.callers)))
            rests_on = tuple(sorted({*known.rests_on, *event.rests_on})) if known.rests_on and event.rests_on else ()
            best = max(sorted((known, event), key=_rarity), key=_order_key)
            ways = told_apart((*known.ways_there, *event.ways_there)) if callers else ()
            if (best.callers, best.rests_on, best.ways) != (callers, rests_on, ways):
                best = replace(best, callers=callers, rests_on=rests_on, ways=ways)
            events[place] = best
        loops.update(part.loops)
    return Observations(
        tuple(events.values()),
        _joined_functions(part.functions for part in parts),
        loops,
        _joined_calls(part.calls for part in parts),
        _joined_calls(part.unresolved for part in parts),
        frozenset(switched),
        joined_callers(part.known_callers for part in parts),
        _joined_records([part.recorded for part in parts]),
        facts_by_path,
        _joined_opaque(part.opaque for part in parts),
        {key: region for part in parts for key, region in part.regions.items()},
        _joined_hands(part.handed for part in parts),
    )


def _joined_hands(
    parts: Iterable[Mapping[str, Mapping[Asked, tuple[Handed, ...]]]],
) -> dict[str, dict[Asked, tuple[Handed, ...]]]:
    found: dict[str, dict[Asked, tuple[Handed, ...]]] = {}
    for part in parts:
        for path, in_file in part.items():
            known = found.setdefault(path, {})
            for asked, hands in in_file.items():
                known[asked] = either_handed(known.get(asked, hands), hands)
    return found


def _order_key(event: Observation) -> tuple[object, ...]:
    """What decides which of two observations of one expression is shown, greatest first."""
    return event.confidence.rank, len(event.facts), event.facts


def _rarity(one: Observation | CallsBehind) -> tuple[object, ...]:
    """What orders views of one place, by the guards around it: where it runs more often comes first."""
    seldom = [layer for layer in one.layers if isinstance(layer, Guard) and layer.runs is not Phase.STEP]
    return len(seldom), tuple((guard.runs.value, guard.reason, guard.loops, guard.counts) for guard in seldom)


def told_apart(ways: Iterable[CallsBehind]) -> tuple[CallsBehind, ...]:
    """Ways to a place, one for all calls that come there behind the like guards; none where all of them do."""
    found: dict[tuple[object, ...], CallsBehind] = {}
    for way in ways:
        known = found.setdefault(_rarity(way), way)
        found[_rarity(way)] = CallsBehind(known.layers, tuple(dict.fromkeys((*known.callers, *way.callers))))
    return tuple(found[key] for key in sorted(found)) if len(found) > 1 else ()


def _joined_functions(parts: Iterable[Mapping[str, FunctionFacts]]) -> Mapping[str, FunctionFacts]:
    functions: dict[str, FunctionFacts] = {}
    for part in parts:
        for key, facts in part.items():
            known = functions.setdefault(key, facts)
            if known is facts:
                continue
            captured, collates = known.captured or facts.captured, known.collates or facts.collates
            on_host = (known.on_host or facts.on_host) and not collates
            if (on_host, captured, collates) != (known.on_host, known.captured, known.collates):
                functions[key] = replace(known, on_host=on_host, captured=captured, collates=collates)
    return functions


def _joined_calls(parts: Iterable[Mapping[Key, tuple[Call, ...]]]) -> Mapping[Key, tuple[Call, ...]]:
    calls: dict[Key, tuple[Call, ...]] = {}
    for part in parts:
        for key, sites in part.items():
            # To compare calls takes time, and most functions are called in the files of one part only.
            calls[key] = tuple(dict.fromkeys((*calls[key], *sites))) if key in calls else sites
    return calls


def _joined_opaque(parts: Iterable[Mapping[str, tuple[OpaqueCall, ...]]]) -> Mapping[str, tuple[OpaqueCall, ...]]:
    calls: dict[str, dict[OpaqueCall, tuple[CallPlace, ...]]] = {}
    for part in parts:
        for key, opaque in part.items():
            known = calls.setdefault(key, {})
            for call in opaque:
                alone = call._replace(callers=())
                known[alone] = tuple(dict.fromkeys((*known.get(alone, ()), *call.callers)))
    return {
        key: tuple(call._replace(callers=callers) for call, callers in found.items()) for key, found in calls.items()
    }


def _joined_records(parts: Sequence[Recorded]) -> Recorded:
    return Recorded(
        tuple(expression for part in parts for expression in part.expressions),
        _joined_functions(part.functions for part in parts),
        _joined_calls(part.unresolved for part in parts),
    )
