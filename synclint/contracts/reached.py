"""What is reached from a function, by the calls that the analysis has seen: its waits, and what nobody can follow.

A function is reached from the places of calls. What waits in it, or cannot be followed, only under other calls, with
other arguments, does not count. Where a method is called, those that override it are reached as well.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from synclint.analysis.results.facts import Call, Guard, Layer, OpaqueCall
from synclint.analysis.results.observations import Observation, Observations
from synclint.findings import CallPlace

Chain = tuple[CallPlace, ...]


class Choice(NamedTuple):
    """A call that may mean one of several functions of one ``name``, such as the ``forward`` of one of many models."""

    name: str
    place: CallPlace


class Step(NamedTuple):
    """A call of a function: ``callee`` is its key, and ``is_override`` tells that it stands in place of another one."""

    callee: str
    call: Call
    is_override: bool


@dataclass
class ReachedFunction:
    """A function on the way: the calls that lead there first, from the outside in, and the ``places`` that call it.

    ``by_text`` tells that it may be called from elsewhere, or with other arguments than are known, so that all counts
    that its own text shows; ``is_certain`` that it is called, and not only handed to something that may call it.
    ``choice`` is the first call on the way that may also mean another function, None where there is none.
    """

    chain: Chain
    by_text: bool
    is_certain: bool
    choice: Choice | None = None
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

    def made_by(self, caller: str) -> Iterator[Step]:
        """The calls that a function makes, those of what may stand in the place of what it calls among them."""
        for callee, call in self._made.get(caller, ()):
            yield Step(callee, call, is_override=False)
            waiting, seen = [callee], {callee}
            while waiting:
                for key in self._overriding.get(waiting.pop(), ()):
                    if key not in seen:
                        seen.add(key)
                        waiting.append(key)
                        yield Step(key, call, is_override=True)

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
        """What a function reaches outside of regions that accept waits, the function itself included.

        First what is reached whichever function a call means, then what is called, then what is only handed on; each
        nearest first.
        """
        found = {root: ReachedFunction((), by_text=True, is_certain=True)}
        self._follow(found, lambda step, choice: step.call.is_certain and choice is None)
        self._follow(found, lambda step, choice: step.call.is_certain)
        self._follow(found, lambda step, choice: True)
        return found

    def reached_from_region(self, region: str, function: str) -> Mapping[str, ReachedFunction]:
        """What the calls in a region reach."""
        found: dict[str, ReachedFunction] = {}
        for step in self.made_by(function):
            if region_of(step.call.layers) == region:
                self._note(found, step, ReachedFunction((), by_text=False, is_certain=True), None)
        self._follow(found, lambda step, choice: True)
        return found

    def _follow(self, found: dict[str, ReachedFunction], takes: Callable[[Step, Choice | None], bool]) -> None:
        """Follow the calls outside of regions that ``takes`` says, from what has been found on."""
        waiting = deque(found)
        while waiting:
            caller = waiting.popleft()
            steps = [*self.made_by(caller)]
            choices = self._choices(steps)
            for step in steps:
                choice = choices.get(self._meant(step)) if choices else None
                if region_of(step.call.layers) or not takes(step, choice):
                    continue
                if self._note(found, step, found[caller], choice):
                    waiting.append(step.callee)

    def _choices(self, steps: Iterable[Step]) -> Mapping[tuple[CallPlace, str], Choice]:
        """Those of the calls that may mean more than one function, by their places and what these stand in place of."""
        meant: defaultdict[tuple[CallPlace, str], set[str]] = defaultdict(set)
        for step in steps:
            meant[self._meant(step)].add(step.callee)
        several = (of for of, callees in meant.items() if len(callees) > 1)
        return {(place, first): Choice(self._name(first), place) for place, first in several}

    def _meant(self, step: Step) -> tuple[CallPlace, str]:
        """What a call means, whichever of those that override one another it runs."""
        first, seen = step.callee, {step.callee}
        while (above := self._overridden(first)) is not None and above not in seen:
            first = above
            seen.add(above)
        return step.call.place, first

    def _overridden(self, function: str) -> str | None:
        facts = self._observed.functions.get(function)
        return facts.overrides if facts is not None else None

    def _name(self, function: str) -> str:
        facts = self._observed.functions.get(function)
        return facts.name if facts is not None else ""

    def _note(
        self, found: dict[str, ReachedFunction], step: Step, around: ReachedFunction, choice: Choice | None
    ) -> bool:
        """Note that a call reaches a function; whether that is new."""
        callee, call, is_override = step
        by_text = is_override or not call.is_certain or self.is_unfollowed(callee)
        known = found.get(callee)
        if known is not None:
            known.places.add(call.place)
            known.by_text |= by_text
            return False
        is_certain = around.is_certain and call.is_certain
        chain = (*around.chain, call.place)
        found[callee] = ReachedFunction(chain, by_text, is_certain, around.choice or choice, {call.place})
        return True
