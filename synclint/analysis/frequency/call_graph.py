"""The calls that were observed in all files together, and the contexts of what waits there that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from functools import cached_property
from itertools import chain

from synclint.analysis.domain.conclusions import Conclusion
from synclint.analysis.frequency.calls_meant import Meant
from synclint.analysis.frequency.contexts import KnownContexts, as_context
from synclint.analysis.frequency.file_contexts import contexts_by_file
from synclint.analysis.frequency.known_frequencies import Flag, flag_behind, path_of
from synclint.analysis.frequency.on_cpu import parameters_on_cpu
from synclint.analysis.frequency.propagation import Propagation
from synclint.analysis.program.entry_points import Reach
from synclint.analysis.results.callers import counted, on_host, without_called_elsewhere
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.expressions import Expression
from synclint.analysis.results.known_callers import with_handed_on
from synclint.analysis.results.observations import Observation, Observations, Recorded
from synclint.findings import Context


class CallGraph:
    """The calls that were observed, and the contexts that follow from them.

    ``reach`` tells what nothing leads to that a whole project runs; nothing of that is known where a part of it is
    looked at.
    """

    def __init__(self, observed: Observations, reach: Reach | None = None) -> None:
        self.reach = reach or Reach()
        functions = without_called_elsewhere(observed.functions, observed.calls, observed.known_callers.tests)
        observed = replace(observed, functions=functions)
        self._meant = Meant(observed.functions, self.reach)
        rested_on = {slot for event in observed.events for slot in event.rests_on}
        on_cpu = parameters_on_cpu(observed, self._meant, rested_on)
        hardly = parameters_on_cpu(observed, self._meant, rested_on - on_cpu, of_those_seen=True)
        known_callers = replace(observed.known_callers, on_cpu=on_cpu, hardly_elsewhere=on_cpu | hardly)
        observed = replace(observed, known_callers=known_callers)
        self._observed = observed
        self.facts = observed.facts
        unreached = (key for key, one in observed.functions.items() if self.reach.leaves_out(path_of(key), one.scope))
        self._propagation = Propagation(
            observed, self._meant, frozenset(unreached), self.reach.projects, self.reach.tried
        )
        by_path: dict[str, list[Observation]] = {}
        for event in observed.events:
            by_path.setdefault(event.path, []).append(event)
        self._by_path = {path: self._counted(events) for path, events in by_path.items()}
        self._known = self._find_known()

    def events(self, path: str, filename: str) -> list[SyncEvent]:
        """The events of the file at a resolved path, in source order, under the name that the user knows."""
        return self._known.sync_events(self._by_path.get(path, ()), filename)

    def contexts_by_file(self) -> dict[str, KnownContexts]:
        """What tells the contexts of events in each file, by its resolved path, by itself."""
        calls = chain.from_iterable(self._observed.calls.values())
        guards = {flag for call in calls if (flag := flag_behind(call.caller, call.layers)) is not None}
        return dict(contexts_by_file(self._with_flags(guards)))

    def _counted(self, events: Iterable[Observation]) -> list[Observation]:
        return counted(events, self._observed.switched, self._observed.known_callers)

    def _find_known(self) -> KnownContexts:
        observed = self._observed
        return KnownContexts(
            self._propagation.known(_flags_behind(observed.events)),
            with_handed_on(observed.known_callers, self._is_unreached),
            on_host(observed.functions, observed.calls, observed.known_callers, self._is_unreached),
            observed.switched,
            self.reach.unreached,
            self.reach.untrained,
            self.reach.tried,
            self.reach.on_host,
        )

    def _is_unreached(self, function: str) -> bool:
        """Whether nothing that the project runs leads to a function, by its key."""
        facts = self._observed.functions.get(function)
        return facts is not None and bool(self.reach.leaves_out(path_of(function), facts.scope))

    def _with_flags(self, flags: Set[Flag]) -> KnownContexts:
        """What is known, and how often functions run with these flags set."""
        known = self._known.frequencies
        new = {flag: self._propagation.where_set(*flag) for flag in sorted(flags - known.where_set.keys())}
        if not new:
            return self._known
        return replace(self._known, frequencies=replace(known, where_set={**known.where_set, **new}))

    @property
    def observed(self) -> Observations:
        """All that was observed."""
        return self._observed

    @cached_property
    def waits(self) -> tuple[Observation, ...]:
        """The waits in all files, but for those in functions that prepare data on the host."""
        return tuple(wait for waits in self._by_path.values() for wait in waits if self._known.may_wait(wait))

    def expressions(self, path: str) -> Iterator[tuple[Expression, Conclusion, Context]]:
        """What was recorded in the file at a resolved path: what is concluded of each expression, how often it runs."""
        for expression in self._expressions_by_path.get(path, ()):
            is_decided = self._observed.known_callers.all_known(expression.function)
            under_calls = expression.under_calls if is_decided else None
            found = self._with_recorded._known.frequencies.at(expression.function, expression.layers)
            yield expression, under_calls or expression.concluded, as_context(found)

    @cached_property
    def _expressions_by_path(self) -> Mapping[str, list[Expression]]:
        found: dict[str, list[Expression]] = {}
        for expression in self._observed.recorded.expressions:
            found.setdefault(expression.path, []).append(expression)
        return found

    @cached_property
    def _with_recorded(self) -> CallGraph:
        """The graph with the functions that only what was recorded needs."""
        recorded = self._observed.recorded
        return CallGraph(
            replace(
                self._observed,
                events=(),
                recorded=Recorded(),
                functions={**recorded.functions, **self._observed.functions},
                unresolved={**recorded.unresolved, **self._observed.unresolved},
            ),
            self.reach,
        )


def _flags_behind(observed: Iterable[Observation]) -> set[Flag]:
    """The flags that have to be set for what has been observed."""
    found = (flag_behind(event.function, event.layers) for event in observed)
    return {flag for flag in found if flag is not None}
