"""The contexts of what was observed, by what is known of the frequencies of functions and of their callers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from synclint.analysis.frequency import names
from synclint.analysis.frequency.frequencies import Frequency, Strength
from synclint.analysis.frequency.known_frequencies import Flag, KnownFrequencies, flag_behind
from synclint.analysis.results.callers import counted
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.facts import Guard, Layer, Need
from synclint.analysis.results.known_callers import KnownCallers
from synclint.analysis.results.observations import Observation
from synclint.findings import Confidence, Context, Phase

_LONGEST_PATH = 8
# The entries of the catalogue for what brings whole tensors to the host; and those for what brings inputs to a model,
# where that stands in what is there for inference: deep in a model there are other reasons to do so.
_RESULTS = frozenset(
    {"to-cpu", "numpy-of-device-tensor", "legacy-type-to-cpu", "save", "save-image", "draw-on-image", "image-to-pil"}
)
_INPUTS = frozenset({"upload", "pinned-upload", "as-tensor-from-cpu"})
# The entry of the catalogue for waits that a program asks for.
_EXPLICIT = frozenset({"synchronize"})


@dataclass(frozen=True)
class KnownContexts:
    """What is known of a project that tells the contexts of what is observed in its functions.

    ``on_host`` are the functions that prepare data on the host; ``switched_off`` those that were called to turn waits
    off everywhere. ``unmentioned`` are names of functions with events that nothing mentions, ``unbuilt`` the classes of
    which nothing makes objects; ``names`` and ``classes`` are those of which it has been asked. ``rests_on_words`` says
    that such questions are asked at all.
    """

    frequencies: KnownFrequencies
    known_callers: KnownCallers
    on_host: frozenset[str]
    switched_off: frozenset[str]
    unmentioned: frozenset[str]
    unbuilt: frozenset[str]
    names: frozenset[str]
    classes: frozenset[str]
    rests_on_words: bool

    def events_instead(
        self,
        observed: Iterable[Observation],
        filename: str,
        find_unmentioned: Callable[[frozenset[str]], frozenset[str]] | None = None,
    ) -> list[SyncEvent] | None:
        """The events of a file of which something else has been ``observed``, while all else is as it was.

        None where what waits there now could change what is said of other files, or more is asked than is known.
        ``find_unmentioned`` tells which names nothing mentions, of those of which it has not been asked yet.
        """
        seen = tuple(observed)
        if not all(map(self._knows, seen)):
            return None
        names = self._new_names(seen)
        if names is None:
            return None
        if names and self.rests_on_words and (find_unmentioned is None or find_unmentioned(names)):
            return None
        return self.sync_events(counted(seen, self.switched_off, self.known_callers), filename)

    def _knows(self, event: Observation) -> bool:
        """Whether an event stands in functions, loops and guards that are known."""
        known, code = self.frequencies, self.frequencies.code
        if event.function not in code.functions or not all(need.function in code.functions for need in _needs(event)):
            return False
        if not all(layer in code.loops for layer in event.layers if isinstance(layer, str)):
            return False
        flag = flag_behind(event.function, event.layers)
        return flag is None or flag in known.where_set

    def _new_names(self, observed: Iterable[Observation]) -> frozenset[str] | None:
        """The names of functions with events of which it has not been asked whether anything mentions them.

        None where it has not been asked whether anything makes objects of a class with events.
        """
        functions = {event.function for event in observed if event.switch not in self.switched_off}
        code = self.frequencies.code
        enclosing = [code.functions[key] for function in functions for key in code.enclosing(function)]
        if any(one.registered is not None and one.registered[0] not in self.classes for one in enclosing):
            return None
        return frozenset(name for one in enclosing for name in one.written) - self.names

    def sync_events(self, observed: Iterable[Observation], filename: str) -> list[SyncEvent]:
        """The events of a file, in source order, by what has been counted there."""
        seen = [event for event in observed if not self._runs_on_the_host(event.function)]
        found = [
            SyncEvent(
                construct=event.construct,
                filename=filename,
                span=event.span,
                subject=event.subject,
                facts=event.facts,
                confidence=Confidence.LOW if self._is_doubtful(event) else event.confidence,
                context=self._context(event),
                evidence=event.evidence,
                cause=event.cause,
            )
            for event in seen
        ]
        return sorted(found, key=lambda event: (event.span, event.construct))

    def _runs_on_the_host(self, function: str) -> bool:
        return any(key in self.on_host for key in self._enclosing(function))

    def _enclosing(self, function: str) -> Iterator[str]:
        return self.frequencies.code.enclosing(function)

    def _is_doubtful(self, event: Observation) -> bool:
        """Whether most likely nothing runs what stands there: no name leads there, or no call asks for the branch."""
        around = [self.frequencies.code.functions[key] for key in self._enclosing(event.function)]
        if any(not self.unmentioned.isdisjoint(facts.written) for facts in around):
            return True
        if any(facts.registered is not None and facts.registered[0] in self.unbuilt for facts in around):
            return True
        return any(self.known_callers.excludes(need) for need in _needs(event))

    def _context(self, event: Observation) -> Context:
        known = self.frequencies
        facts = known.code.functions[event.function]
        flag = flag_behind(event.function, event.layers)
        where_set = known.where_set[flag] if flag is not None else None
        if flag is not None and where_set is not None:
            found = known.at(event.function, [_without(flag, layer) for layer in event.layers], where_set)
        else:
            found = known.at(event.function, event.layers, known.under_calls(event.function, set(event.callers)))
        if found.runs is Phase.STEP and self._is_seen_under_no_call(event):
            reason = f"none of the calls of `{facts.name}` that are seen makes it wait, but others may"
            started = Frequency(Phase.STEP, Strength.ASSUMED, reason, captured=found.captured)
            found = known.at(event.function, event.layers, started)
        if event.construct in _EXPLICIT and facts.is_clocked and found.runs is Phase.ONCE:
            found = found._replace(runs=Phase.BENCHMARK, reason="waits in order to read a clock")
        if any(self.known_callers.is_unseen(need) for need in _needs(event)):
            reason = f"none of the calls of `{facts.name}` that are seen leads there, but others may"
            found = Frequency(found.runs, Strength.ASSUMED, reason, found.times, captured=found.captured)
        runs_each_step = found.runs is Phase.STEP
        trains = found.trains and runs_each_step
        return replace(
            as_context(found),
            reason=f"{found.reason}, only where `{found.option}` is set" if found.option else found.reason,
            by_nature=runs_each_step and not trains and self._is_needed(event, found),
            direct=trains and found.is_direct,
            may_train=found.may_train and runs_each_step and not trains,
            optional=bool(found.option),
        )

    def _is_seen_under_no_call(self, event: Observation) -> bool:
        """Whether calls of a function were seen and followed, under none of which an expression waits."""
        if event.callers or self.frequencies.code.functions[event.function].is_module:
            return False
        return event.function in self.known_callers.called and event.function not in self.known_callers.unfollowed

    def _is_needed(self, event: Observation, found: Frequency) -> bool:
        """Whether a step that trains nothing cannot do without a wait: what goes in, what comes out, what is selected.

        What goes in part by part could go in at once.
        """
        around = [self.frequencies.code.functions[key] for key in self._enclosing(event.function)]
        if any(names.selects(facts.name) for facts in around):
            return True
        if not found.infers or (found.times and event.construct in _INPUTS):
            return False
        return event.construct in _RESULTS or (
            (event.construct in _INPUTS or event.construct == "tolist")
            and (found.is_frame or any(facts.infers for facts in around))
        )


def as_context(found: Frequency) -> Context:
    """How often something runs by itself, whatever waits there."""
    runs_each_step = found.runs is Phase.STEP
    return Context(
        found.runs,
        found.reason,
        found.times,
        found.path[-_LONGEST_PATH:],
        found.captured,
        assumed=found.strength is Strength.ASSUMED,
        trains=found.trains and runs_each_step,
        infers=found.infers and runs_each_step,
    )


def _without(flag: Flag, layer: Layer) -> Layer:
    """What stands around a place, where a flag is known to be set."""
    return layer._replace(option="") if isinstance(layer, Guard) and layer.option == flag[1] else layer


def _needs(event: Observation) -> list[Need]:
    """What calls have to do so that they come to the place of an observation."""
    return [layer.need for layer in event.layers if isinstance(layer, Guard) and layer.need is not None]
