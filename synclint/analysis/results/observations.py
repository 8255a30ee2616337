"""What the analysis of some files of a project has seen, as plain records that can be sent, kept and joined.

A function may be called from files that are analysed elsewhere, by another process or at another time. How often it
runs, and what it is given, is therefore known only when all observations have been brought together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from synclint.analysis.results.accounts import Accounts, accounts_of
from synclint.analysis.results.facts import Call, FunctionFacts, Layer, LoopFacts
from synclint.findings import CallPlace, Confidence, Span


@dataclass(frozen=True)
class Observation:
    """An expression that makes the host wait, as one run over its function has shown it.

    ``path`` is the resolved path of the file, ``construct`` the id of the catalogue entry, ``subject`` the operand
    that decides, as written, and ``facts`` what was inferred about it. ``function`` is the key of the function, or of
    the top of the module, that it stands in, ``layers`` what stands around it there. ``switch`` is the function by
    which a program can turn the wait off; ``cause`` is the place where the chain of inferences begins. ``callers`` are
    the calls of the function under which it was seen, none where the function's own text has shown it.
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


@dataclass(frozen=True)
class Observations:
    """Everything seen: ``functions`` and ``loops`` by their keys, and the calls of each function.

    ``unresolved`` are calls of methods, by name, of objects of which nothing is known. ``switched_off`` are the
    functions that were called, at the top of a module, to turn waits off everywhere; ``accounts`` tell of which
    functions all calls are known.
    """

    events: tuple[Observation, ...] = ()
    functions: Mapping[str, FunctionFacts] = field(default_factory=dict)
    loops: Mapping[str, LoopFacts] = field(default_factory=dict)
    calls: Mapping[str, tuple[Call, ...]] = field(default_factory=dict)
    unresolved: Mapping[str, tuple[Call, ...]] = field(default_factory=dict)
    switched_off: frozenset[str] = frozenset()
    accounts: Accounts = field(default_factory=Accounts)


def joined(parts: Iterable[Observations]) -> Observations:
    """All that was seen in several analyses; of observations of one expression the most confident one counts."""
    events: dict[tuple[str, Span, str, bool], Observation] = {}
    functions: dict[str, FunctionFacts] = {}
    loops: dict[str, LoopFacts] = {}
    calls: dict[str, tuple[Call, ...]] = {}
    unresolved: dict[str, tuple[Call, ...]] = {}
    switched_off: set[str] = set()
    parts = tuple(parts)
    for part in parts:
        switched_off |= part.switched_off
        for event in part.events:
            place = (event.path, event.span, event.construct, bool(event.callers))
            known = events.get(place)
            if known is None:
                events[place] = event
                continue
            callers = tuple(dict.fromkeys((*known.callers, *event.callers)))
            best = event if event.confidence.rank > known.confidence.rank else known
            events[place] = best if best.callers == callers else replace(best, callers=callers)
        for key, facts in part.functions.items():
            known_facts = functions.get(key)
            if known_facts is None or (facts.on_host and not known_facts.on_host):
                functions[key] = facts
        loops.update(part.loops)
        for made, into in ((part.calls, calls), (part.unresolved, unresolved)):
            for key, sites in made.items():
                # To compare calls takes time, and most functions are called in the files of one part only.
                into[key] = tuple(dict.fromkeys((*into[key], *sites))) if key in into else sites
    return Observations(
        tuple(events.values()),
        functions,
        loops,
        calls,
        unresolved,
        frozenset(switched_off),
        accounts_of(part.accounts for part in parts),
    )
