"""What was seen of a project, after lines of one of its files have moved: the same, at other places."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from synclint.analysis.domain.conclusions import Conclusion
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.expression_facts import AllocationSite, Fact, Facts, NodePosition
from synclint.analysis.results.expressions import Expression
from synclint.analysis.results.facts import (
    MOST_UNRESOLVED,
    Call,
    FunctionFacts,
    Guard,
    Handed,
    HandedOn,
    Layer,
    LoopFacts,
    Need,
    OpaqueCall,
    Region,
    Slot,
)
from synclint.analysis.results.known_callers import KnownCallers
from synclint.analysis.results.observations import Observation, Observations, Recorded
from synclint.analysis.results.signatures import Asked
from synclint.findings import CallPlace, Context, Position, Repetition, Span


@dataclass(frozen=True)
class MovedFile:
    """A file whose lines have moved: its resolved path, what a run calls it, and where each line stands now."""

    real_path: str
    path: str
    lines: Callable[[int], int]

    def text(self, text: str) -> str:
        """A text that may name places in the file: ``train.py:12``."""
        if not text or not any(name in text for name in self._names):
            return text
        return self._places.sub(lambda found: f"{found[1]}{self.lines(int(found[2]))}", text)

    @cached_property
    def _names(self) -> frozenset[str]:
        """What it is called: a run over other files that imports it knows its resolved path alone."""
        return frozenset({self.path, self.real_path})

    @cached_property
    def _places(self) -> re.Pattern[str]:
        names = "|".join(map(re.escape, sorted(self._names, key=len, reverse=True)))
        return re.compile(rf"(?<![^\s`(])((?:{names}):)(\d+)\b")

    @cached_property
    def _start(self) -> str:
        return f"{self.real_path}:"

    def key(self, key: str) -> str:
        """The key of a function or loop, which ends with its line and column; that of a module has neither."""
        if not key.startswith(self._start):
            return key
        path, _, rest = key.rpartition(":")
        if not rest:
            return key
        name, _, line = path.rpartition(":")
        return f"{name}:{self.lines(int(line))}:{rest}" if name == self.real_path else key

    def layers(self, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
        """What stands around a place."""
        if not layers:
            return layers
        return tuple(self._guard(layer) if isinstance(layer, Guard) else self.key(layer) for layer in layers)

    def _guard(self, guard: Guard) -> Guard:
        if guard.captured is not None:
            guard = guard._replace(captured=self.text(guard.captured))
        if guard.region:
            guard = guard._replace(region=self.key(guard.region))
        return guard if guard.need is None else guard._replace(need=self.need(guard.need))

    def need(self, need: Need) -> Need:
        """What calls of a function have to do."""
        return need if not need.function.startswith(self._start) else need._replace(function=self.key(need.function))

    def slot(self, slot: Slot) -> Slot:
        """A parameter of a function."""
        return slot if not slot.function.startswith(self._start) else slot._replace(function=self.key(slot.function))

    def handed(self, handed: Handed) -> Handed:
        """What a call hands on."""
        return handed if handed.of is None else handed._replace(of=self.slot(handed.of))

    def call_place(self, place: CallPlace) -> CallPlace:
        """The place of a call."""
        if place.path not in self._names:
            return place
        line = self.lines(place.line)
        return place if line == place.line else place._replace(line=line)

    def repetition(self, loop: Repetition) -> Repetition:
        """The place of a loop."""
        return loop._replace(line=self.lines(loop.line)) if loop.path in self._names else loop

    def span(self, span: Span) -> Span:
        """A span within the file."""
        start, end = span.start, span.end
        return Span(Position(self.lines(start.line), start.column), Position(self.lines(end.line), end.column))

    def node(self, place: NodePosition) -> NodePosition:
        """The place of an expression within the file."""
        return place._replace(line=self.lines(place.line), end_line=self.lines(place.end_line))

    def event(self, event: Observation) -> Observation:
        """An expression that waits, in this file or another."""
        before = event.function, event.layers, event.cause, event.evidence, event.callers, event.rests_on
        now = (
            self.key(event.function),
            self.layers(event.layers),
            self.text(event.cause),
            tuple(map(self.text, event.evidence)),
            tuple(map(self.call_place, event.callers)),
            tuple(map(self.slot, event.rests_on)),
        )
        is_here = event.path == self.real_path
        if now == before and not is_here:
            return event
        function, layers, cause, evidence, callers, rests_on = now
        span = self.span(event.span) if is_here else event.span
        return replace(
            event,
            span=span,
            function=function,
            layers=layers,
            cause=cause,
            evidence=evidence,
            callers=callers,
            rests_on=rests_on,
        )

    def context(self, context: Context) -> Context:
        """How often a line runs, and why."""
        return replace(
            context,
            reason=self.text(context.reason),
            captured=None if context.captured is None else self.text(context.captured),
            times=tuple(map(self.repetition, context.times)),
            path=tuple(map(self.call_place, context.path)),
        )


def moved(seen: Observations, file: MovedFile) -> Observations:
    """What was seen, with the lines of a file where they are now."""
    known_callers = seen.known_callers
    return Observations(
        tuple(map(file.event, seen.events)),
        _functions(seen.functions, file),
        {file.key(key): _loop(loop, file) for key, loop in seen.loops.items()},
        {file.key(key): _calls(calls, file) for key, calls in seen.calls.items()},
        _unresolved(seen.unresolved, file),
        seen.switched_off,
        KnownCallers(
            {file.key(key): handle for key, handle in known_callers.handles.items()},
            frozenset(map(file.key, known_callers.unfollowed)),
            known_callers.taken,
            known_callers.exported,
            known_callers.tests,
            frozenset(map(file.key, known_callers.called)),
            frozenset(map(file.need, known_callers.done)),
            frozenset(HandedOn(file.need(one.need), file.need(one.by)) for one in known_callers.handed_on),
            frozenset(map(file.slot, known_callers.on_cpu)),
        ),
        Recorded(
            tuple(_expression(expression, file) for expression in seen.recorded.expressions),
            _functions(seen.recorded.functions, file),
            _unresolved(seen.recorded.unresolved, file),
        ),
        {path: moved_facts(facts, path, file) for path, facts in seen.facts.items()},
        {file.key(key): tuple(_opaque(call, file) for call in calls) for key, calls in seen.opaque.items()},
        {file.key(key): _region(region, file) for key, region in seen.regions.items()},
        {
            path: {asked: tuple(map(file.handed, hands)) for asked, hands in in_file.items()}
            for path, in_file in seen.handed.items()
        },
    )


def moved_event(event: SyncEvent, path: str, file: MovedFile) -> SyncEvent:
    """An event in the file at a resolved path."""
    return replace(
        event,
        span=file.span(event.span) if path == file.real_path else event.span,
        context=file.context(event.context),
        evidence=tuple(map(file.text, event.evidence)),
        cause=file.text(event.cause),
    )


def _functions(functions: Mapping[str, FunctionFacts], file: MovedFile) -> dict[str, FunctionFacts]:
    return {file.key(key): _function(facts, file) for key, facts in functions.items()}


def _function(facts: FunctionFacts, file: MovedFile) -> FunctionFacts:
    named = (facts.parent, facts.overrides, facts.constructor)
    parent, overrides, constructor = (key and file.key(key) for key in named)
    wrapped_in = tuple(map(file.key, facts.wrapped_in))
    if (parent, overrides, constructor) == named and wrapped_in == facts.wrapped_in:
        return facts
    return replace(facts, parent=parent, overrides=overrides, constructor=constructor, wrapped_in=wrapped_in)


def _loop(loop: LoopFacts, file: MovedFile) -> LoopFacts:
    return loop._replace(repetition=file.repetition(loop.repetition))


def _calls(calls: Iterable[Call], file: MovedFile) -> tuple[Call, ...]:
    return tuple(_call(call, file) for call in calls)


def _call(call: Call, file: MovedFile) -> Call:
    caller, place, layers = file.key(call.caller), file.call_place(call.place), file.layers(call.layers)
    hands = tuple(map(file.handed, call.hands))
    given = tuple(_calls(way, file) for way in call.given)
    if (
        caller is call.caller
        and place is call.place
        and (layers, hands, given) == (call.layers, call.hands, call.given)
    ):
        return call
    return call._replace(caller=caller, place=place, layers=layers, hands=hands, given=given)


def _opaque(call: OpaqueCall, file: MovedFile) -> OpaqueCall:
    place, callers = file.call_place(call.place), tuple(map(file.call_place, call.callers))
    return call._replace(place=place, layers=file.layers(call.layers), callers=callers)


def _region(region: Region, file: MovedFile) -> Region:
    function = file.key(region.function)
    return region._replace(
        function=function, span=file.span(region.span) if region.path == file.real_path else region.span
    )


def _unresolved(calls_by_name: Mapping[Asked, tuple[Call, ...]], file: MovedFile) -> dict[Asked, tuple[Call, ...]]:
    """Calls on something unknown, in the order of their lines."""
    return {
        name: calls if (now := _calls(calls, file)) == calls else tuple(sorted(now, key=lambda call: call.place[::-1]))
        for name, calls in calls_by_name.items()
    }


def first_unresolved(seen: Observations, names: Collection[str]) -> list[tuple[CallPlace, ...]]:
    """The first calls of ``names`` on something unknown, where nothing is known of those that ask for the same."""
    found = [calls for asked, calls in seen.unresolved.items() if asked.name in names]
    return [
        tuple(call.place for call in calls)
        for calls in (*found, *seen.recorded.unresolved.values())
        if len(calls) >= MOST_UNRESOLVED
    ]


def keeps_first_unresolved(seen: Observations, file: MovedFile) -> bool:
    """Whether the first calls of any name on something unknown stay the first ones."""
    names = {asked.name for asked in seen.unresolved}
    return all(stay_first(places, file) for places in first_unresolved(seen, names))


def moved_places(places: Iterable[CallPlace], file: MovedFile) -> tuple[CallPlace, ...]:
    """Calls, where they are now."""
    return tuple(map(file.call_place, places))


def stay_first(places: Sequence[CallPlace], file: MovedFile) -> bool:
    """Whether the first calls of a name stay the first ones, nothing being known of those after the last of them."""
    last = max(places, key=_last_line)
    last_now = max(moved_places(places, file), key=_last_line)
    # Those in this file that are not known, too, keep their order.
    before, here = last.line, file.lines(last.line)
    if last_now == last:
        return here >= before
    return _last_line(last_now) < _last_line(last) and here > last_now.line


def _last_line(place: CallPlace) -> tuple[object, ...]:
    return place[::-1]


def _expression(expression: Expression, file: MovedFile) -> Expression:
    under_calls = expression.under_calls
    return replace(
        expression,
        span=file.span(expression.span) if expression.path == file.real_path else expression.span,
        concluded=_conclusion(expression.concluded, file),
        under_calls=_conclusion(under_calls, file) if under_calls is not None else None,
        function=file.key(expression.function),
        layers=file.layers(expression.layers),
    )


def _conclusion(concluded: Conclusion, file: MovedFile) -> Conclusion:
    if not concluded.evidence:
        return concluded
    return replace(concluded, evidence=tuple(map(file.text, concluded.evidence)))


def moved_facts(facts: Facts, path: str, file: MovedFile) -> Facts:
    """The facts about the expressions in the file at a resolved path."""
    is_here = path == file.real_path
    return {file.node(place) if is_here else place: _fact(fact, file) for place, fact in facts.items()}


def _fact(fact: Fact, file: MovedFile) -> Fact:
    items = fact.items and tuple(_fact(item, file) for item in fact.items)
    element = fact.element and _fact(fact.element, file)
    made = tuple(_made(place, file) for place in fact.made)
    if (items, element, made) == (fact.items, fact.element, fact.made):
        return fact
    return replace(fact, items=items, element=element, made=made)


def _made(made: AllocationSite, file: MovedFile) -> AllocationSite:
    return made._replace(place=file.node(made.place)) if made.path == file.real_path else made
