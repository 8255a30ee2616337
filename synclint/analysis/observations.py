"""What the analysis of some files of a project has seen, as plain records that can be sent, kept and joined.

A function may be called from files that are analysed elsewhere, by another process or at another time. How often it
runs, and what it is given, is therefore known only when all observations have been brought together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from synclint.analysis.callers import Accounts, accounts_of
from synclint.findings import CallPlace, Confidence, Context, Span


@dataclass(frozen=True)
class Observation:
    """An expression that makes the host wait, as one run over its function has shown it.

    ``switch`` is the function by which a program can turn that off.

    ``path`` is the resolved path of the file, ``construct`` the id of the catalogue entry, ``subject`` the operand
    that decides, as written, and ``facts`` what was inferred about it. ``context`` is known where the place alone
    decides how often it runs; elsewhere it is None and ``function``, a key, decides. ``cause`` is the place where the
    chain of inferences begins. ``callers`` are the calls of the function under which it was seen, none where the
    function's own text has shown it.
    """

    path: str
    span: Span
    construct: str
    subject: str
    facts: str
    confidence: Confidence
    evidence: tuple[str, ...]
    function: str | None
    context: Context | None
    switch: str | None = None
    cause: str = ""
    callers: tuple[CallPlace, ...] = ()


class FunctionFacts(NamedTuple):
    """What a function's own text says of how often it runs: ``own`` if that is certain, ``parent`` is around it.

    ``on_host`` tells that it prepares data, in a loader's workers as a rule, where tensors are on the CPU.
    """

    name: str
    own: Context | None
    parent: str | None
    on_host: bool


class Call(NamedTuple):
    """A call of a function: ``told`` is its place in words, ``caller`` a key, None for the top of a module.

    ``hot`` is what its place says of how often it runs, None where its function decides; ``cold`` says why a place
    runs seldom.
    """

    caller: str | None
    told: str
    place: CallPlace
    hot: bool | None
    cold: str | None


@dataclass(frozen=True)
class Observations:
    """Everything seen: ``functions`` by their keys, and the calls of each.

    ``switched_off`` are the functions that were called, at the top of a module, to turn waits off everywhere;
    ``accounts`` tell of which functions all calls are known.
    """

    events: tuple[Observation, ...] = ()
    functions: Mapping[str, FunctionFacts] = field(default_factory=dict)
    calls: Mapping[str, tuple[Call, ...]] = field(default_factory=dict)
    switched_off: frozenset[str] = frozenset()
    accounts: Accounts = field(default_factory=Accounts)


def joined(parts: Iterable[Observations]) -> Observations:
    """All that was seen in several analyses; of observations of one expression the most confident one counts."""
    events: dict[tuple[str, Span, str, bool], Observation] = {}
    functions: dict[str, FunctionFacts] = {}
    calls: dict[str, dict[Call, None]] = {}
    switched_off: set[str] = set()
    parts = tuple(parts)
    for part in parts:
        switched_off |= part.switched_off
        for event in part.events:
            place = (event.path, event.span, event.construct, bool(event.callers))
            known = events.get(place)
            callers = tuple(dict.fromkeys((*(known.callers if known is not None else ()), *event.callers)))
            best = event if known is None or event.confidence.rank > known.confidence.rank else known
            events[place] = best if best.callers == callers else replace(best, callers=callers)
        for key, facts in part.functions.items():
            known_facts = functions.get(key)
            if known_facts is None or (facts.on_host and not known_facts.on_host):
                functions[key] = facts
        for key, made in part.calls.items():
            calls.setdefault(key, {}).update(dict.fromkeys(made))
    made_from = {key: tuple(made) for key, made in calls.items()}
    accounts = accounts_of(part.accounts for part in parts)
    return Observations(tuple(events.values()), functions, made_from, frozenset(switched_off), accounts)
