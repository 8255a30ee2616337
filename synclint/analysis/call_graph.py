"""How often functions run, from who calls them: a search through the calls of all files together."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from synclint.analysis.callers import decided, on_host
from synclint.analysis.events import SyncEvent
from synclint.analysis.observations import Call, Observation, Observations
from synclint.findings import Context, Phase

_MOST_TOLD = 4
_Way = tuple[Call, ...]


class CallGraph:
    """The calls that were observed, and the contexts that follow from them."""

    def __init__(self, observed: Observations) -> None:
        self._functions = observed.functions
        self._calls = observed.calls
        self._on_host = on_host(observed.functions, observed.calls, observed.accounts)
        self._contexts: dict[str, Context] = {}
        self._by_path: dict[str, list[Observation]] = {}
        for event in observed.events:
            if event.switch in observed.switched_off:
                continue
            self._by_path.setdefault(event.path, []).append(event)
        self._by_path = {path: decided(events, observed.accounts) for path, events in self._by_path.items()}

    def events(self, path: str, filename: str) -> list[SyncEvent]:
        """The events of the file at a resolved path, in source order, under the name that the user knows."""
        seen = [event for event in self._by_path.get(path, ()) if not self._runs_on_the_host(event.function)]
        found = [
            SyncEvent(
                construct=event.construct,
                filename=filename,
                span=event.span,
                subject=event.subject,
                facts=event.facts,
                confidence=event.confidence,
                context=event.context or self._context(event.function or ""),
                evidence=event.evidence,
                cause=event.cause,
            )
            for event in seen
        ]
        return sorted(found, key=lambda event: (event.span, event.construct))

    def _runs_on_the_host(self, function: str | None) -> bool:
        return any(key in self._on_host for key in self._enclosing(function))

    def _enclosing(self, function: str | None) -> Iterator[str]:
        """A function and those around it, from the inside out."""
        while function is not None:
            yield function
            function = self._functions[function].parent

    def _context(self, function: str) -> Context:
        """The context of a function's body."""
        if function not in self._contexts:
            self._contexts[function] = self._found_context(function)
        return self._contexts[function]

    def _found_context(self, function: str) -> Context:
        facts = self._functions[function]
        if facts.own is not None and not facts.own.hot:
            return facts.own
        way = self._way_from_hot_code(function)
        if way is None:
            return Context(Phase.ONCE, self._why_cold(function))
        path = tuple(call.place for call in way[-_MOST_TOLD:])
        if facts.own is not None:
            return Context(Phase.STEP, facts.own.reason, path=path)
        if path:
            return Context(Phase.STEP, f"called from {way[-1].told}", path=path)
        return Context(Phase.STEP, f"in `{facts.name}`, which nothing in the project calls: its callers may be hot")

    def _way_from_hot_code(self, function: str) -> _Way | None:
        """The calls that lead to a function from hot code, outermost first.

        Empty if nobody calls it, None if it is cold. The search goes breadth first from the function outwards, so
        that the shortest way counts and each function only once.
        """
        queue: deque[tuple[str, _Way]] = deque([(function, ())])
        seen = {function}
        while queue:
            current, way = queue.popleft()
            facts = self._functions[current]
            if facts.own is not None:
                if facts.own.hot:
                    return way
                continue
            calls = self._calls.get(current, ())
            if not calls and facts.parent is None:
                return way
            if not calls and facts.parent is not None and facts.parent not in seen:
                seen.add(facts.parent)
                queue.append((facts.parent, way))
            for call in calls:
                if call.hot:
                    return (call, *way)
                if call.hot is None and call.caller is not None and call.caller not in seen:
                    seen.add(call.caller)
                    queue.append((call.caller, (call, *way)))
        return None

    def _why_cold(self, function: str) -> str:
        for call in self._calls.get(function, ()):
            if call.cold is not None:
                return f"called only where it {call.cold}"
            if call.caller is not None:
                return f"called only from `{self._functions[call.caller].name}`, which is cold"
        return "called only from cold code"
