"""The contexts of what was observed, by what is known of the frequencies of functions and of their callers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from synclint.analysis.domain.descriptions import says_maybe_there, says_on_device
from synclint.analysis.frequency import names
from synclint.analysis.frequency.frequencies import ASIDE, TURNS, Frequency, Strength
from synclint.analysis.frequency.known_frequencies import KnownFrequencies, flag_behind, without
from synclint.analysis.program.entry_points import left_out
from synclint.analysis.results.callers import counted
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.facts import (
    ACTION,
    CONVERTED,
    MADE,
    OBSERVATION,
    OF_THE_PLACE,
    RETURNED,
    SENT_BEFORE,
    WORKED_ON,
    FunctionFacts,
    Guard,
    Need,
)
from synclint.analysis.results.known_callers import KnownCallers, as_method
from synclint.analysis.results.observations import Observation
from synclint.catalog.entries import load_catalog
from synclint.findings import Context, Phase

_LONGEST_PATH = 8
# The entries of the catalogue for what brings whole tensors to the host; and those for what brings inputs to a model,
# where that stands in what is there for inference: deep in a model there are other reasons to do so. What is pinned can
# go up without a wait.
_RESULTS = frozenset(
    {"to-cpu", "numpy-of-device-tensor", "legacy-type-to-cpu", "save", "save-image", "draw-on-image", "image-to-pil"}
)
_INPUTS = frozenset({"upload", "as-tensor-from-cpu"})
# Those for what tells which word a model has written, and whether it was the last one.
_WORDS = {
    MADE: frozenset({"item", "tolist", "condition", "boolean-operator", "containment"}),
    CONVERTED: frozenset({"item", "tolist"}),
}
# Those for what brings actions to a simulated environment, and observations from it.
_ACTIONS = _RESULTS | {"item", "tolist"}
_OBSERVATIONS = _INPUTS | {
    "pinned-upload", "unpinned-upload", "tensor-from-host-data", "as-tensor-from-host-data", "asarray-from-host-data",
}  # fmt: skip
# The phases of a call that runs the steps itself, or prepares them.
_AROUND_STEPS = (Phase.ONCE, Phase.EPOCH, Phase.INTERVAL, Phase.STEP)
# The mechanisms by which the host waits for what is on the device.
_READS = frozenset({"data-dependent-shape", "scalar-read", "control-flow", "device-to-host-copy"})
# The entry of the catalogue for waits that a program asks for.
_EXPLICIT = frozenset({"synchronize"})


@dataclass(frozen=True)
class KnownContexts:
    """What is known of a project that tells the contexts of what is observed in its functions.

    ``on_host`` are the functions that prepare data on the host; ``switched`` those that were called to turn waits
    off everywhere. ``unreached`` are the names of functions, methods and classes to which nothing leads that the
    project runs, by the resolved paths of their files; ``untrained`` those of the files that only programs run that
    train nothing, in a project that trains, ``tried`` those of the files whose own program tries out what they define,
    ``staying`` those of projects in which all stays on the host.
    """

    frequencies: KnownFrequencies
    known_callers: KnownCallers
    on_host: frozenset[str]
    switched: frozenset[str]
    unreached: Mapping[str, frozenset[str]]
    untrained: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()
    staying: frozenset[str] = frozenset()

    def events_instead(self, observed: Iterable[Observation], filename: str) -> list[SyncEvent] | None:
        """The events of a file of which something else has been ``observed``, while all else is as it was.

        None where what waits there now could change what is said of other files, or more is asked than is known.
        """
        seen = tuple(observed)
        if not all(map(self._knows, seen)):
            return None
        return self.sync_events(counted(seen, self.switched, self.known_callers), filename)

    def likely_events(self, observed: Iterable[Observation], filename: str) -> list[SyncEvent]:
        """The events of a file of which something else has been ``observed``, as far as it is known how often they run.

        Loops that were not there before are left out of account.
        """
        loops = self.frequencies.code.loops
        seen = [
            replace(event, layers=tuple(one for one in event.layers if isinstance(one, Guard) or one in loops), ways=())
            for event in observed
        ]
        known = [event for event in seen if self._knows(event)]
        return self.sync_events(counted(known, self.switched, self.known_callers), filename)

    def _knows(self, event: Observation) -> bool:
        """Whether an event stands in functions, loops and guards that are known."""
        known, code = self.frequencies, self.frequencies.code
        if event.function not in code.functions or not all(need.function in code.functions for need in _needs(event)):
            return False
        if not all(layer in code.loops for layer in event.layers if isinstance(layer, str)):
            return False
        flag = flag_behind(event.function, event.layers)
        return flag is None or flag in known.where_set

    def sync_events(self, observed: Iterable[Observation], filename: str) -> list[SyncEvent]:
        """The events of a file, in source order, by what has been counted there."""
        seen = [event for event in observed if self.may_wait(event)]
        found = [
            SyncEvent(
                construct=event.construct,
                filename=filename,
                span=event.span,
                subject=event.subject,
                facts=event.facts,
                confidence=event.confidence,
                context=self._context(event),
                evidence=event.evidence,
                cause=event.cause,
            )
            for event in seen
        ]
        return sorted(found, key=lambda event: (event.span, event.construct))

    def may_wait(self, event: Observation) -> bool:
        """Whether an expression may run where there is a device, and not on rows of data, which are on the host."""
        functions = self.frequencies.code.functions
        return event.path not in self.staying and not any(
            key in self.on_host or (functions[key].collates and not event.callers)
            for key in self._enclosing(event.function)
        )

    def _enclosing(self, function: str) -> Iterator[str]:
        return self.frequencies.code.enclosing(function)

    def _unreached(self, event: Observation, found: Frequency) -> str:
        """Why nothing that the project runs comes to a place, empty where something may."""
        facts = self.frequencies.code.functions[event.function]
        trains = event.path in self.frequencies.code.training
        if any(self._asks_nobody_for(need, trains=trains) for need in _needs(event)):
            return f"none of the calls of `{facts.name}` asks for it"
        is_open = found.strength is Strength.ASSUMED and self._is_seen_under_no_call(event)
        if trains and is_open and not self._may_be_called_elsewhere(facts):
            return f"none of the calls of `{facts.name}` makes it wait"
        if self.frequencies.is_unrun(event.function, event.callers):
            return f"of the calls of `{facts.name}`, only those in code that nothing runs make it wait"
        is_called = bool(found.path) and not found.path[0].function  # from the top of a script
        scope = "" if is_called else left_out(self.unreached.get(event.path, frozenset()), facts.scope)
        return f"nothing that runs here leads to `{scope}`" if scope else ""

    def _asks_nobody_for(self, need: Need, *, trains: bool) -> bool:
        """Whether no call does what is needed: in a project that trains, others may only do what it does itself."""
        return self.known_callers.excludes(need) or (trains and self.known_callers.excludes_here(need))

    def _context(self, event: Observation) -> Context:
        known = self.frequencies
        facts = known.code.functions[event.function]
        flag = flag_behind(event.function, event.layers)
        where_set = known.where_set[flag] if flag is not None else None
        if flag is not None and where_set is not None:
            found = known.at(event.function, [without(flag, layer) for layer in event.layers], where_set)
        else:
            found = self._found(event)
        if found.runs is Phase.STEP and self._is_seen_under_no_call(event):
            reason = f"none of the calls of `{facts.name}` that are seen makes it wait, but others may"
            started = Frequency(Phase.STEP, Strength.ASSUMED, reason, captured=found.captured)
            found = known.at(event.function, event.layers, started)
        if event.construct in _EXPLICIT and facts.is_clocked and found.runs is Phase.ONCE:
            found = found._replace(runs=Phase.BENCHMARK, reason="waits in order to read a clock")
        if event.construct in load_catalog().waiting_in_steps and found.runs in _AROUND_STEPS:
            reason = "the library waits in each step of the training"
            found = found._replace(runs=Phase.STEP, reason=reason, trains=True, infers=False)
        in_turn = event.construct in load_catalog().waiting_in_turn
        if in_turn and found.runs is Phase.ONCE and event.path not in known.code.training:
            reason = "the library waits for each part of what it makes"
            found = found._replace(runs=Phase.STEP, reason=reason, infers=True)
        if found.runs not in ASIDE and (why := self._unreached(event, found)):
            return Context(Phase.UNREACHED, why)
        if any(self.known_callers.is_unseen(need) for need in _needs(event)):
            reason = f"none of the calls of `{facts.name}` that are seen leads there, but others may"
            found = Frequency(found.runs, Strength.ASSUMED, reason, found.times, captured=found.captured)
        if event.path in self.untrained and _is_taken_for_training(found):
            found = found._replace(runs=Phase.EVAL, reason="only programs of the project that train nothing lead there")
        if event.path in self.tried and facts.is_module and found.runs is Phase.STEP and not found.trains:
            reason = "tries out what programs that train import from this file"
            found = found._replace(runs=Phase.ONCE, reason=reason)
        prepares = event.construct in load_catalog().preparing and not any(isinstance(one, str) for one in event.layers)
        if prepares and found.runs is Phase.STEP and not found.trains:
            found = found._replace(runs=Phase.ONCE, reason="makes once what the steps use again")
        runs_each_step = found.runs is Phase.STEP
        has_training = event.path in known.code.training
        trains = found.trains and runs_each_step
        option = found.option or known.option_of_object(event.function)
        return replace(
            as_context(found),
            reason=f"{found.reason}, only where `{option}` is set" if option else found.reason,
            by_nature=runs_each_step
            and (_is_exchanged(event, found) or (not trains and self._is_needed(event, found))),
            direct=trains and found.is_direct,
            may_train=found.may_train and runs_each_step and not trains,
            optional=bool(option),
            callers=known.callers.get(event.function, 0),
            interface=facts.interface,
            placed=has_training or _is_placed(event),
            aside=runs_each_step and not trains and _is_aside(found, has_training=has_training),
        )

    def _found(self, event: Observation) -> Frequency:
        """How often a place runs, behind the guards that calls find on their ways there."""
        known, function = self.frequencies, event.function
        ways = [(way.layers, known.under_calls(function, set(way.callers))) for way in event.ways]
        if event.is_by_text and function in known.unfollowed:
            ways.append((event.layers, known.under_calls(function, known.unfollowed[function])))
        found = [known.at(function, layers, under) for layers, under in ways if under is not None]
        if event.ways and found:
            return max(found, key=lambda one: (one.weight, one.nearness))
        under = known.under_calls(function, set(event.callers), is_by_text=event.is_by_text)
        return known.at(function, event.layers, under)

    def _is_seen_under_no_call(self, event: Observation) -> bool:
        """Whether calls of a function were seen and followed, under none of which an expression waits."""
        if event.callers or self.frequencies.code.functions[event.function].is_module:
            return False
        is_followed = event.function in self.frequencies.given and event.function not in self.known_callers.unfollowed
        return is_followed and event.function in self.known_callers.called

    def _may_be_called_elsewhere(self, facts: FunctionFacts) -> bool:
        """Whether others may call a function than the calls that were followed; what calls a module names no method."""
        known = self.known_callers
        is_named = facts.name != "forward" and name_called(facts) in known.taken
        return is_named or not known.exported.isdisjoint(facts.scope.split("."))

    def _is_needed(self, event: Observation, found: Frequency) -> bool:
        """Whether a step that trains nothing cannot do without a wait: what goes in, what comes out, what is selected.

        What goes in part by part could go in at once, and what is called for parts of a step, and does not hand back
        what it brings down, brings down no result. Neither can one do without a wait that says how long making a result
        has taken, or that what was sent before is through.
        """
        around = [self.frequencies.code.functions[key] for key in self._enclosing(event.function)]
        if any(names.selects(facts.name) for facts in around) or _exchange(event) == SENT_BEFORE:
            return True
        # What a round works on was made by the last one: nothing has to go up for it.
        if not found.infers or (event.construct in _INPUTS and (found.times or found.loop == TURNS)):
            return False
        if event.construct in _EXPLICIT:
            return self.frequencies.code.functions[event.function].is_clocked
        if not found.times and event.construct in _WORDS.get(_exchange(event), ()):
            return True
        if event.construct in _RESULTS:
            is_for_parts = len(found.times) > sum(isinstance(layer, str) for layer in event.layers)
            return not is_for_parts or _exchange(event) in (RETURNED, CONVERTED)
        return (event.construct in _INPUTS or event.construct == "tolist") and (
            found.is_frame or any(facts.infers for facts in around)
        )


def name_called(facts: FunctionFacts) -> str:
    """The name under which calls of a function are known."""
    return as_method(facts.name) if facts.is_method else facts.name


def as_context(found: Frequency) -> Context:
    """How often something runs by itself, whatever waits there."""
    runs_each_step = found.runs is Phase.STEP
    return Context(
        found.runs,
        found.reason,
        found.times,
        found.path[-_LONGEST_PATH:],
        found.captured,
        # Of what is a training step by its name, who calls it does not matter.
        assumed=found.strength is Strength.ASSUMED and not (found.trains and runs_each_step),
        trains=found.trains and runs_each_step,
        infers=found.infers and runs_each_step,
        guesses=found.guesses,
        alternatives=found.alternatives,
    )


def _is_taken_for_training(found: Frequency) -> bool:
    """Whether nothing shows what a step is one of: no training loop, and no model that makes something in it."""
    return found.runs is Phase.STEP and not (found.trains or found.infers) and found.captured is None


def _is_exchanged(event: Observation, found: Frequency) -> bool:
    """Whether something brings an action to a simulated environment, or an observation from it, all at once."""
    exchange = _exchange(event)
    if found.times or not found.is_exchange:
        return False
    if not exchange or exchange in OF_THE_PLACE:  # within what is called to find the action
        is_returned = exchange in (RETURNED, CONVERTED, WORKED_ON)
        return event.construct in _OBSERVATIONS or (is_returned and event.construct in _ACTIONS)
    return (exchange != OBSERVATION and event.construct in _ACTIONS) or (
        exchange != ACTION and event.construct in _OBSERVATIONS
    )


def _exchange(event: Observation) -> str:
    return next((one.exchange for one in event.layers if isinstance(one, Guard) and one.exchange), "")


def _is_aside(found: Frequency, *, has_training: bool) -> bool:
    """Whether a step that does not train is known to be none of those that its project is there for."""
    if has_training:
        return found.infers
    return found.strength is Strength.SHOWN and not (found.infers or found.has_model)


def _is_placed(event: Observation) -> bool:
    """Whether what is waited for is known to be where the host has to wait for it."""
    entry = load_catalog().by_id.get(event.construct)
    is_read = entry is not None and entry.mechanism in _READS
    return says_on_device(event.facts) if is_read else not says_maybe_there(event.facts)


def _needs(event: Observation) -> list[Need]:
    """What calls have to do so that they come to the place of an observation."""
    return [layer.need for layer in event.layers if isinstance(layer, Guard) and layer.need is not None]
