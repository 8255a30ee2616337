"""What is reached from a function, by the calls that the analysis has seen: its waits, and what nobody can follow.

A function is reached from the places of calls. What waits in it, or cannot be followed, only under other calls, with
other arguments, does not count. Where a method is called, those that override it are reached as well.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from synclint.analysis.results.facts import Call, Guard, Layer, OpaqueCall
from synclint.analysis.results.observations import Observation, Observations
from synclint.findings import CallPlace

Chain = tuple[CallPlace, ...]


@dataclass
class ReachedFunction:
    """A function on the way: the calls that lead there first, from the outside in, and the ``places`` that call it.

    ``by_text`` tells that it may be called from elsewhere, or with other arguments than are known, so that all counts
    that its own text shows; ``is_certain`` that it is called, and not only handed to something that may call it.
    """

    chain: Chain
    by_text: bool
    is_certain: bool
    places: set[CallPlace] = field(default_factory=set)

    def is_under(self, callers: tuple[CallPlace, ...]) -> bool:
        """Whether what is seen under these calls is seen on this way."""
        return self.by_text or not self.places.isdisjoint(callers)


def region_of(layers: Iterable[Layer]) -> str:
    """The key of the region around a place that accepts waits, empty without one."""
    return next((layer.region for layer in layers if isinstance(layer, Guard) and layer.region), "")


class Calls:
    """The calls of a project, from callers to what they call."""

    def __init__(self, observed: Observations, waits: Iterable[Observation]) -> None:
        self._observed = observed
        self._made: dict[str, list[tuple[str, Call]]] = defaultdict(list)
        for callee, calls in observed.calls.items():
            for call in calls:
                self._made[call.caller].append((callee, call))
        self._overriding: dict[str, list[str]] = defaultdict(list)
        for key, facts in observed.functions.items():
            if facts.overrides is not None:
                self._overriding[facts.overrides].append(key)
        self._waits: dict[str, list[Observation]] = defaultdict(list)
        for wait in waits:
            self._waits[wait.function].append(wait)

    def made_by(self, caller: str) -> Iterator[tuple[str, Call, bool]]:
        """The calls that a function makes: what is called, and whether in place of what it overrides."""
        for callee, call in self._made.get(caller, ()):
            yield callee, call, False
            waiting, seen = [callee], {callee}
            while waiting:
                for key in self._overriding.get(waiting.pop(), ()):
                    if key not in seen:
                        seen.add(key)
                        waiting.append(key)
                        yield key, call, True

    def waits_in(self, function: str) -> Iterable[Observation]:
        """The waits in a function."""
        return self._waits.get(function, ())

    def opaque_in(self, function: str) -> Iterable[OpaqueCall]:
        """The calls in a function that cannot be followed."""
        return self._observed.opaque.get(function, ())

    def is_unfollowed(self, function: str) -> bool:
        """Whether a function is called in more ways than are followed."""
        return function in self._observed.known_callers.unfollowed

    def reached_from(self, root: str) -> Mapping[str, ReachedFunction]:
        """What a function reaches outside of regions that accept waits, nearest first, the function itself included."""
        found = {root: ReachedFunction((), by_text=True, is_certain=True)}
        self._follow(found, [root], certain_only=True)
        self._follow(found, [*found], certain_only=False)
        return found

    def reached_from_region(self, region: str, function: str) -> Mapping[str, ReachedFunction]:
        """What the calls in a region reach."""
        found: dict[str, ReachedFunction] = {}
        for callee, call, is_override in self.made_by(function):
            if region_of(call.layers) == region:
                self._note(found, callee, call, (), by_text=is_override, is_certain=True)
        self._follow(found, [*found], certain_only=False)
        return found

    def _follow(self, found: dict[str, ReachedFunction], start: list[str], *, certain_only: bool) -> None:
        waiting = deque(start)
        while waiting:
            caller = waiting.popleft()
            around = found[caller]
            for callee, call, is_override in self.made_by(caller):
                if region_of(call.layers) or (certain_only and not call.is_certain):
                    continue
                is_certain = around.is_certain and call.is_certain
                by_text = is_override or not call.is_certain or self.is_unfollowed(callee)
                if self._note(found, callee, call, around.chain, by_text=by_text, is_certain=is_certain):
                    waiting.append(callee)

    @staticmethod
    def _note(
        found: dict[str, ReachedFunction], callee: str, call: Call, chain: Chain, *, by_text: bool, is_certain: bool
    ) -> bool:
        """Note that a call reaches a function; whether that is new."""
        known = found.get(callee)
        if known is not None:
            known.places.add(call.place)
            known.by_text |= by_text
            return False
        found[callee] = ReachedFunction((*chain, call.place), by_text, is_certain, {call.place})
        return True
