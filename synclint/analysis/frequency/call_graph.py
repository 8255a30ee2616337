"""How often functions run, from who calls them: a fixpoint over the calls of all files together.

Each function gets a `Frequency`, the greatest of those that its callers, its text and its name give it. Who calls a
function says more than its name; where nobody is known to call it, its name decides, and without one it counts as
called in each step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from synclint.analysis.domain.conclusions import Conclusion
from synclint.analysis.frequency import names
from synclint.analysis.frequency.frequencies import (
    ASIDE,
    WORK,
    Frequency,
    Strength,
    guarded,
    outranks,
    repeated,
    stepping,
)
from synclint.analysis.frequency.work import Work
from synclint.analysis.results.callers import decided, on_host
from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.expressions import Expression
from synclint.analysis.results.facts import Call, Evidence, FunctionFacts, Guard, Layer, Need
from synclint.analysis.results.observations import Observation, Observations, Recorded
from synclint.analysis.results.registries import unbuilt
from synclint.analysis.results.unmentioned import Words, unmentioned
from synclint.findings import CallPlace, Confidence, Context, Phase, Repetition, place_in_words

_LONGEST_PATH = 8
_MOST_ROUNDS = 200
# A method that is called on an unknown object is one of those with its name, if there are no more than these, and the
# name is of more words than one: `step_all` is called so for a reason, `predict` and `run` are many things.
_MOST_NAMESAKES = 3
# The entries of the catalogue for what brings whole tensors to the host; and those for what brings inputs to a model,
# where that stands in what is there for inference: deep in a model there are other reasons to do so.
_RESULTS = frozenset(
    {"to-cpu", "numpy-of-device-tensor", "legacy-type-to-cpu", "save", "save-image", "draw-on-image", "image-to-pil"}
)
_INPUTS = frozenset({"upload", "pinned-upload", "as-tensor-from-cpu"})
# The entry of the catalogue for waits that a program asks for.
_EXPLICIT = frozenset({"synchronize"})
_EACH_STEP = frozenset({Phase.STEP})
_MORE_THAN_ONCE = frozenset({Phase.STEP, Phase.INTERVAL, Phase.EVAL, Phase.EPOCH})
_PREPARES_DATA = Context(Phase.DATA, "prepares data, usually in a loader's workers")
_UNKNOWN = Frequency(Phase.STEP, Strength.ASSUMED, "its callers may be steps")


class CallGraph:
    """The calls that were observed, and the contexts that follow from them.

    ``sources`` are those of a whole project, none where a part of it is looked at. Where they train something, what
    they nowhere mention is of low confidence: it most likely does not run at all.
    """

    def __init__(self, observed: Observations, sources: Sequence[str] = ()) -> None:
        self._observed = observed
        self.facts = observed.facts
        self._functions = observed.functions
        self._loops = observed.loops
        self._seen = observed.calls
        self._known_callers = observed.known_callers
        self._calls = _all_calls(observed)
        self._on_host = on_host(observed.functions, observed.calls, observed.known_callers)
        self._work = Work(observed, self._calls)
        self._frequencies: dict[str, Frequency] = {}
        self._find_frequencies()
        self._by_path: dict[str, list[Observation]] = {}
        for event in observed.events:
            if event.switch in observed.switched_off:
                continue
            self._by_path.setdefault(event.path, []).append(event)
        self._by_path = {path: decided(events, observed.known_callers) for path, events in self._by_path.items()}
        self._asked = sources if self._work.trains_anything else ()
        self._unmentioned = self._find_unmentioned(self._names_with_events)
        self._unbuilt = unbuilt(self._registered, self._asked)

    def events(self, path: str, filename: str) -> list[SyncEvent]:
        """The events of the file at a resolved path, in source order, under the name that the user knows."""
        return self._sync_events(self._by_path.get(path, ()), filename)

    def events_instead(self, observed: Iterable[Observation], filename: str) -> list[SyncEvent] | None:
        """The events of a file of which something else has been ``observed``, while all else is as it was.

        None where what waits there now could change what is said of other files.
        """
        seen = [event for event in observed if event.switch not in self._observed.switched_off]
        enclosing = [self._functions[key] for event in seen for key in self._enclosing(event.function)]
        if any(one.registered is not None and one.registered[0] not in self._registered for one in enclosing):
            return None
        names = {name for one in enclosing for name in one.written} - self._names_with_events
        if names and self._find_unmentioned(names):
            return None
        return self._sync_events(decided(seen, self._known_callers), filename)

    def likely_events(self, observed: Iterable[Observation], filename: str) -> list[SyncEvent]:
        """The events of a file of which something else has been ``observed``, in the functions that were there before.

        Loops that were not are left out of account.
        """
        seen = [
            replace(event, layers=tuple(one for one in event.layers if isinstance(one, Guard) or one in self._loops))
            for event in observed
            if event.switch not in self._observed.switched_off and event.function in self._functions
        ]
        return self._sync_events(decided(seen, self._known_callers), filename)

    def rests_on_names(self, taken: frozenset[str], left: frozenset[str]) -> bool:
        """Whether it could matter that names are taken for something else than the function of a call, or no longer."""
        names = self._names_of_handles
        return not (names.isdisjoint(left) and names.isdisjoint(taken - self._known_callers.taken))

    @cached_property
    def _names_of_handles(self) -> frozenset[str]:
        return frozenset(handle.name for handle in self._known_callers.handles.values())

    def _sync_events(self, observed: Iterable[Observation], filename: str) -> list[SyncEvent]:
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

    def _find_unmentioned(self, names: Iterable[str]) -> frozenset[str]:
        return unmentioned(sorted(names), self._asked) if self._asked else frozenset()

    @property
    def words(self) -> Words:
        """The words in the sources on which it rests what is said to be mentioned nowhere."""
        return Words(self._unmentioned, self._names_with_events, self._unbuilt.words)

    @cached_property
    def _names_with_events(self) -> frozenset[str]:
        functions = {event.function for events in self._by_path.values() for event in events}
        return frozenset(name for function in functions for name in self._written(function))

    @cached_property
    def _registered(self) -> Mapping[str, str]:
        """The classes with events that are in registries."""
        functions = {event.function for events in self._by_path.values() for event in events}
        facts = (self._functions[key] for function in functions for key in self._enclosing(function))
        return dict(sorted(one.registered for one in facts if one.registered is not None))

    def _is_doubtful(self, event: Observation) -> bool:
        """Whether most likely nothing runs what stands there: no name leads there, or no call asks for the branch."""
        if not self._unmentioned.isdisjoint(self._written(event.function)):
            return True
        made = [self._functions[key].registered for key in self._enclosing(event.function)]
        if any(one is not None and one[0] in self._unbuilt.classes for one in made):
            return True
        return any(self._known_callers.excludes(need) for need in _needs(event))

    def _written(self, function: str) -> Iterator[str]:
        return (name for key in self._enclosing(function) for name in self._functions[key].written)

    def expressions(self, path: str) -> Iterator[tuple[Expression, Conclusion, Context]]:
        """What was recorded in the file at a resolved path: what is concluded of each expression, how often it runs."""
        for expression in self._expressions_by_path.get(path, ()):
            is_decided = self._observed.known_callers.all_known(expression.function)
            under_calls = expression.under_calls if is_decided else None
            found = self._with_recorded._at(expression.function, expression.layers)
            yield expression, under_calls or expression.concluded, _as_context(found)

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
            )
        )

    def _runs_on_the_host(self, function: str) -> bool:
        return any(key in self._on_host for key in self._enclosing(function))

    def _enclosing(self, function: str | None) -> Iterator[str]:
        """A function and those around it, from the inside out."""
        while function is not None:
            yield function
            function = self._functions[function].parent

    def _context(self, event: Observation) -> Context:
        facts = self._functions[event.function]
        flag = _flag_behind(event)
        where_set = self._where_set(event.function, flag) if flag else None
        if where_set is not None:
            layers = tuple(_without(flag, layer) for layer in event.layers)
            found = self._at(event.function, layers, where_set)
        else:
            found = self._at(event.function, event.layers, self._under(event, facts))
        if found.runs is Phase.STEP and self._is_seen_under_no_call(event):
            reason = f"none of the calls of `{facts.name}` that are seen makes it wait, but others may"
            started = Frequency(Phase.STEP, Strength.ASSUMED, reason, captured=found.captured)
            found = self._at(event.function, event.layers, started)
        if event.construct in _EXPLICIT and facts.is_clocked and found.runs is Phase.ONCE:
            found = found._replace(runs=Phase.BENCHMARK, reason="waits in order to read a clock")
        if any(self._known_callers.is_unseen(need) for need in _needs(event)):
            reason = f"none of the calls of `{facts.name}` that are seen leads there, but others may"
            found = Frequency(found.runs, Strength.ASSUMED, reason, found.times, captured=found.captured)
        assumed = found.strength is Strength.ASSUMED
        trains = found.trains and found.runs is Phase.STEP
        path = found.path[-_LONGEST_PATH:]
        infers = found.infers and found.runs is Phase.STEP
        needed = found.runs is Phase.STEP and not trains and self._is_needed(event, found)
        return Context(
            found.runs,
            f"{found.reason}, only where `{found.option}` is set" if found.option else found.reason,
            found.times,
            path,
            found.captured,
            assumed,
            trains,
            infers,
            by_nature=needed,
            direct=trains and found.is_direct,
            may_train=found.may_train and found.runs is Phase.STEP and not trains,
            optional=bool(found.option),
        )

    def _is_seen_under_no_call(self, event: Observation) -> bool:
        """Whether calls of a function were seen and followed, under none of which an expression waits."""
        if event.callers or self._functions[event.function].is_module:
            return False
        return event.function in self._known_callers.called and event.function not in self._known_callers.unfollowed

    def _is_needed(self, event: Observation, found: Frequency) -> bool:
        """Whether a step that trains nothing cannot do without a wait: what goes in, what comes out, what is selected.

        What goes in part by part could go in at once.
        """
        around = [self._functions[key] for key in self._enclosing(event.function)]
        if any(names.selects(facts.name) for facts in around):
            return True
        if not found.infers or (found.times and event.construct in _INPUTS):
            return False
        return event.construct in _RESULTS or (
            (event.construct in _INPUTS or event.construct == "tolist") and any(facts.infers for facts in around)
        )

    def _under(self, event: Observation, facts: FunctionFacts) -> Frequency | None:
        """The frequency of the function under the calls that make it wait, None where it waits under any of them."""
        callers = set(event.callers)
        calls = [call for call in self._evidence_of_calls(event.function) if call.place in callers]
        best = self._greatest(calls, facts)
        if best is None or facts.configured is not None or facts.fixed is not None:
            return None
        return self._with_own_text(facts, event.function, best)

    def _where_set(self, function: str, flag: str, callers: tuple[str, ...] = ()) -> Frequency | None:
        """How often a function runs with a flag set that is off by default; None where no call is seen to set it."""
        facts = self._functions[function]
        if facts.configured is not None or facts.fixed is not None or function in callers:
            return None
        made: list[Frequency] = []
        for call in self._evidence_of_calls(function):
            handed_on = dict(call.passes).get(flag)
            if flag in call.sets:
                made.append(_through_call(self._at_call(call, facts), call))
            elif flag in call.may_set:
                made.append(_through_call(self._at_call(call, facts), call)._replace(option=flag))
            elif handed_on is not None:
                around = self._where_set(call.caller, handed_on, (*callers, function))
                if around is not None:
                    made.append(_through_call(self._at(call.caller, call.layers, around), call))
        return self._first_in_rank(made)

    # --- frequencies -----------------------------------------------------------------------------------------------

    def _find_frequencies(self) -> None:
        """Find the frequency of each function: iterated from none until nothing changes."""
        found = self._frequencies
        dependents: dict[str, set[str]] = defaultdict(set)
        for callee, calls in self._calls.items():
            for call in calls:
                dependents[call.caller].add(callee)
        for key, facts in self._functions.items():
            for other in (facts.parent, facts.overrides):
                if other is not None:
                    dependents[other].add(key)
        self._iterate(set(self._functions), dependents)
        # What is left is called only by what nobody is known to call: functions that call each other.
        circular = {key for key in self._functions if key not in found}
        found.update({key: self._uncalled(self._functions[key], key) or _UNKNOWN for key in circular})
        self._iterate({dependent for key in circular for dependent in dependents[key]}, dependents)

    def _iterate(self, waiting: set[str], dependents: Mapping[str, set[str]]) -> None:
        """Settle functions until nothing changes, each round from the results of the round before.

        So the order in which functions are looked at makes no difference. What has been found counts until something
        greater is: functions that call each other would hand their paths to one another for ever.
        """
        for _ in range(_MOST_ROUNDS):
            changed: dict[str, Frequency] = {}
            for key in waiting:
                new, old = self._frequency_of(key), self._frequencies.get(key)
                if new is not None and new != old and (old is None or self._outranks(new, old)):
                    changed[key] = new
            if not changed:
                return
            self._frequencies.update(changed)
            waiting = {dependent for key in changed for dependent in dependents.get(key, ())}

    def _frequency_of(self, key: str) -> Frequency | None:
        """How often a function runs, by what is known of its callers so far; None where nothing is yet."""
        facts = self._functions[key]
        certain = facts.configured or facts.fixed or (_PREPARES_DATA if facts.on_host else None)
        if certain is not None:
            captured = facts.captured if facts.fixed is None else None
            return Frequency(certain.runs, Strength.SHOWN, certain.reason, is_entry=facts.is_module, captured=captured)
        if facts.is_module:
            is_entry = not self._work.holds_steps(key)
            return Frequency(Phase.ONCE, Strength.SHOWN, "runs once, when the module is imported", is_entry=is_entry)
        calls = self._evidence_of_calls(key)
        best = self._greatest([call for call in calls if call.caller in self._frequencies], facts)
        if best is None and calls:
            return None
        if best is not None and best.runs is Phase.ONCE and best.strength is Strength.ASSUMED:
            if set(self._seen.get(key, ())).isdisjoint(calls):
                best = None  # by its name alone it is known to be called there: another method may be meant
        return self._with_own_text(facts, key, best)

    def _evidence_of_calls(self, key: str) -> list[Call]:
        """The calls that tell how often a function runs; those of tests and benchmarks say nothing of other code."""
        calls = [call for call in self._calls.get(key, ()) if not self._is_aside(call.caller)]
        certain = [call for call in calls if call.is_certain]
        if any(not self._does_override(call.caller, key) for call in certain):
            return certain
        # Calls through `super()` tell of one class; who calls what it overrides says more than what it is handed to.
        overridden = self._functions[key].overrides
        inherited = self._evidence_of_calls(overridden) if overridden is not None else []
        return [*certain, *inherited] or [call for call in calls if self._runs_step(call)]

    def _does_override(self, method: str, other: str) -> bool:
        """Whether a method overrides another one, directly or by way of others."""
        overridden = self._functions[method].overrides
        while overridden is not None and overridden != other:
            overridden = self._functions[overridden].overrides
        return overridden is not None

    def _is_aside(self, caller: str) -> bool:
        fixed = self._functions[caller].fixed
        return fixed is not None and fixed.runs in (Phase.TEST, Phase.BENCHMARK)

    def _runs_step(self, call: Call) -> bool:
        """Whether a function that is handed on at a place can be taken for called there: where steps are made."""
        known = self._frequencies.get(call.caller)
        return known is not None and self._at(call.caller, call.layers).runs is Phase.STEP

    def _greatest(self, calls: Sequence[Call], callee: FunctionFacts) -> Frequency | None:
        """The greatest frequency that calls give to what they call, None without any.

        Most calls are outdone before it matters how they would be told.
        """
        made = [(self._at_call(call, callee), call) for call in calls]
        if len(made) > 1:
            weights = [(found.weight, -len(found.path) - (call.place not in found.path)) for found, call in made]
            greatest = max(weights)
            made = [one for one, weight in zip(made, weights, strict=True) if weight == greatest]
        return self._first_in_rank(_through_call(found, call) for found, call in made)

    def _first_in_rank(self, found: Iterable[Frequency]) -> Frequency | None:
        best: Frequency | None = None
        for one in found:
            if best is None or self._outranks(one, best):
                best = one
        return best

    def _outranks(self, first: Frequency, second: Frequency) -> bool:
        return outranks(first, second, lambda: self._order_keys)

    @cached_property
    def _order_keys(self) -> Mapping[CallPlace, str]:
        """What orders calls, whatever the files are called in which they stand."""
        calls = chain.from_iterable(self._calls.values())
        return {call.place: self._functions[call.caller].order_key for call in calls}

    def _at_call(self, call: Call, callee: FunctionFacts) -> Frequency:
        """The frequency of the place of a call, of one that makes a generator that of the generator's rounds."""
        found = self._at(call.caller, call.layers)
        if (loop := self._made_by_the_caller(call, callee)) is not None:
            found = repeated(found, loop)
        if callee.is_generator and found.runs in (Phase.ONCE, Phase.EPOCH) and found.strength is not Strength.NAMED:
            # What is made where the training loop stands feeds it.
            around = self._functions[call.caller]
            infers = around.infers or around.evaluates or callee.infers or callee.is_named_inference
            feeds = around.holds_steps and not infers
            return found._replace(
                runs=Phase.STEP,
                strength=Strength.SHOWN,
                is_awaited=True,
                is_entry=False,
                trains=feeds,
            )
        return found

    def _with_own_text(self, facts: FunctionFacts, key: str, best: Frequency | None) -> Frequency | None:
        found = self._by_names(facts, key, best)
        if found is None:
            return None
        if facts.captured is not None:
            found = found._replace(captured=facts.captured)
        # A step that calls it says more of what it is a part of, and a name alone says too little.
        is_shown = not facts.is_named_inference if best is None else best.runs is not Phase.STEP
        if facts.infers and not found.trains and is_shown:
            found = found._replace(infers=True)
        if found.runs is Phase.STEP and not (found.trains or found.infers):
            found = found._replace(trains=facts.is_named_training, may_train=facts.is_loss or found.may_train)
        return found

    def _by_names(self, facts: FunctionFacts, key: str, best: Frequency | None) -> Frequency | None:
        path = best.path if best is not None else ()
        evaluates = facts.evaluates and not facts.is_entry and not facts.is_named_inference
        if evaluates and (best is None or best.runs not in ASIDE):
            reason = f"`{facts.name}` evaluates: it iterates over batches and trains nothing"
            return Frequency(Phase.EVAL, Strength.SHOWN, reason, path=path)
        if best is None:
            return self._uncalled(facts, key)
        said = facts.named or (facts.place if best.strength is Strength.ASSUMED or facts.hot is not None else None)
        if said is not None and not (facts.is_entry and best.runs is Phase.ONCE):
            is_shown = best.strength is Strength.SHOWN or (best.strength is Strength.NAMED and said.runs is Phase.ONCE)
            outdone = _MORE_THAN_ONCE if said.runs is Phase.ONCE else _EACH_STEP
            if best.runs in outdone and is_shown:
                return best
            return best._replace(runs=said.runs, strength=Strength.NAMED, reason=said.reason, is_entry=False, loop="")
        if facts.hot is not None:
            if best.runs is Phase.STEP:
                strength = max(best.strength, Strength.NAMED)
                reason = facts.hot if best.strength is not Strength.SHOWN else best.reason
                return best._replace(reason=reason, strength=strength)
            if facts.is_always_hot or best.strength is not Strength.SHOWN or best.runs is Phase.ONCE:
                return Frequency(Phase.STEP, Strength.NAMED, facts.hot, captured=best.captured)
        return best

    def _uncalled(self, facts: FunctionFacts, key: str) -> Frequency | None:
        """How often a function runs of which nobody knows who calls it."""
        if facts.named is not None:
            return Frequency(facts.named.runs, Strength.NAMED, facts.named.reason)
        if facts.place is not None and not facts.is_entry:
            return Frequency(facts.place.runs, Strength.NAMED, facts.place.reason)
        if facts.hot is not None:
            return Frequency(Phase.STEP, Strength.NAMED, facts.hot, self._layers_of(facts))
        if facts.is_entry:
            is_entry = not self._work.holds_steps(key)
            return Frequency(
                Phase.ONCE, Strength.NAMED, f"`{facts.name}` is the entry point of a program", is_entry=is_entry
            )
        if facts.saves is not None and not self._work.holds_steps(key):
            return Frequency(facts.saves.runs, Strength.NAMED, facts.saves.reason)
        if facts.parent is not None:
            around = self._frequencies.get(facts.parent)
            return around._replace(loop="") if around is not None else None
        unknown = f"no call of `{facts.name}` is seen, and its callers may be steps"
        return Frequency(Phase.STEP, Strength.ASSUMED, unknown)

    def _layers_of(self, facts: FunctionFacts) -> tuple[Repetition, ...]:
        """The loop in which a model makes the layers, of each of which a ``forward`` is called."""
        if facts.constructor is None or facts.name != "forward":
            return ()
        loop = self._made_in_a_loop(facts.constructor, set())
        return (loop._replace(each="layer"),) if loop is not None else ()

    def _made_by_the_caller(self, call: Call, callee: FunctionFacts) -> Repetition | None:
        """The loop in which the caller's object has made the layers that it calls all at once, as a ``Sequential``."""
        if callee.name != "forward" or callee.constructor is None or any(isinstance(one, str) for one in call.layers):
            return None
        around = self._functions[call.caller].constructor
        made = [one for one in self._seen.get(callee.constructor, ()) if one.caller == around]
        loops = [self._loops[layer].repetition for one in made for layer in one.layers if isinstance(layer, str)]
        return min(loops)._replace(each="layer") if loops else None

    def _made_in_a_loop(self, constructor: str, seen: set[str]) -> Repetition | None:
        """The loop that constructs objects in the constructor of another one, or those that hold them."""
        seen.add(constructor)
        for call in self._seen.get(constructor, ()):
            if not self._functions[call.caller].is_method or call.caller in seen:
                continue
            loops = [self._loops[layer].repetition for layer in call.layers if isinstance(layer, str)]
            found = loops[-1] if loops else self._made_in_a_loop(call.caller, seen)
            if found is not None:
                return found
        return None

    def _at(self, function: str, layers: Iterable[Layer], under: Frequency | None = None) -> Frequency:
        """The frequency of a place within a function, that of the function being ``under`` if some calls count only."""
        layers = tuple(layers)
        facts = self._functions[function]
        start = under or self._frequencies[function]
        found = start
        is_in_step = False
        for layer in layers:
            if isinstance(layer, Guard):
                found = guarded(found, layer)
            else:
                entered = self._entered(found, layer, facts, is_in_step or start.strength is Strength.SHOWN)
                is_in_step = is_in_step or entered.loop != found.loop
                found = entered
        if start.is_awaited and not any(isinstance(layer, str) for layer in layers):
            found = found._replace(runs=Phase.ONCE, reason=f"runs once, before what `{facts.name}` yields")
        if found.runs is Phase.STEP and not is_in_step and start.strength is not Strength.SHOWN:
            if self._makes_steps_itself(function):
                reason = "runs once, before or after the main loop of the function"
                found = found._replace(runs=Phase.ONCE, reason=reason, is_entry=False)
        is_measured = facts.is_clocked and not is_in_step and found.strength < Strength.SHOWN
        if is_measured and found.runs in (Phase.STEP, Phase.ONCE):
            found = found._replace(runs=Phase.BENCHMARK, reason=f"`{facts.name}` waits in order to read a clock")
        return found

    def _makes_steps_itself(self, function: str) -> bool:
        facts = self._functions[function]
        return self._work.holds_steps(function) and (facts.hot is None or facts.holds_steps)

    def _entered(self, found: Frequency, key: str, facts: FunctionFacts, is_shown: bool) -> Frequency:
        """The frequency within a loop."""
        kind, loop = self._work.rounds(key), self._loops[key].repetition
        where = place_in_words(loop.path, loop.line)
        if kind in (Evidence.OPTIMIZER, Evidence.BACKWARD, Evidence.BATCHES):
            if found.runs in ASIDE or (found.runs is Phase.EVAL and kind is not Evidence.OPTIMIZER):
                return found
            if found.runs is Phase.STEP and is_shown:
                return repeated(found, loop)
            if found.runs is Phase.INTERVAL:
                return found
            evaluates = facts.evaluates and not facts.is_named_inference
            if kind is Evidence.BATCHES and (evaluates or facts.place is not None):
                reason = f"in the loop over batches at {where}, which trains nothing"
                return found._replace(runs=Phase.EVAL, strength=Strength.SHOWN, reason=reason, is_entry=False)
            reason = f"{_TRAINING_LOOP[kind]} at {where}"
            return stepping(found, reason, kind.value, facts.infers or found.infers)
        if kind is Evidence.VALIDATION:
            if found.runs in ASIDE or found.runs is Phase.EVAL:
                return found
            reason = f"in the loop over validation batches at {where}"
            return found._replace(runs=Phase.EVAL, strength=Strength.SHOWN, reason=reason, is_entry=False)
        if kind is Evidence.ENVIRONMENT and (
            found.runs in (Phase.ONCE, Phase.EPOCH) or (found.runs is Phase.STEP and not is_shown)
        ):
            reason = f"in the loop over the steps of an environment at {where}"
            return stepping(found, reason, kind.value, facts.infers or found.infers)
        if kind is Evidence.EPOCHS:
            if found.runs is Phase.ONCE or (found.runs is Phase.STEP and not is_shown):
                reason = "runs once per epoch, around the loop over batches"
                return found._replace(runs=Phase.EPOCH, strength=Strength.SHOWN, reason=reason, times=())
            return repeated(found, loop)
        if self._loops[key].is_retry:
            return found
        if found.is_awaited and found.runs is Phase.STEP:
            reason = f"in the loop at {where}, once for each item that `{facts.name}` yields"
            infers = facts.infers and not found.trains
            made_by = Evidence.OPTIMIZER.value if found.trains else WORK
            return found._replace(reason=reason, is_awaited=False, times=(), loop=made_by, infers=infers)
        if found.runs in (Phase.ONCE, Phase.EPOCH) and found.is_entry and kind is Evidence.NONE:
            if facts.place is not None:
                return found._replace(runs=Phase.EVAL, reason=facts.place.reason, is_entry=False)
            reason = f"in the loop at {where}, which is the program's work"
            return stepping(found, reason, WORK, facts.infers or found.infers)
        return repeated(found, loop)


_LOOPS = {
    Evidence.OPTIMIZER.value: "the training loop",
    Evidence.BACKWARD.value: "the training loop",
    Evidence.BATCHES.value: "the loop over batches",
    Evidence.ENVIRONMENT.value: "the loop over the steps of an environment",
    WORK: "the program's loop",
}
_TRAINING_LOOP = {
    Evidence.OPTIMIZER: "in the training loop",
    Evidence.BACKWARD: "in the training loop",
    Evidence.BATCHES: "in the loop over batches",
}


def _through_call(found: Frequency, call: Call) -> Frequency:
    """The frequency that a call gives to what it calls, from that of the place where it stands."""
    where = f"`{call.place.function}`" if call.place.function else "the script"
    if found.loop:
        where = _LOOPS[found.loop]
    reason = f"called from {where}, {str(call.place).rpartition(', ')[2]}"
    if found.runs is not Phase.STEP:
        reason = _why_not(found, call)
    path = found.path if call.place in found.path else (*found.path, call.place)
    return found._replace(reason=reason, path=path, loop="")


def _flag_behind(event: Observation) -> str:
    """The flag of its function that has to be set for an observation; empty where there is none."""
    for layer in event.layers:
        if isinstance(layer, Guard) and layer.option and layer.need is not None:
            if (layer.need.function, layer.need.parameter) == (event.function, layer.option) and layer.need.given:
                return layer.option
    return ""


def _without(flag: str, layer: Layer) -> Layer:
    """What stands around a place, where a flag is known to be set."""
    return layer._replace(option="") if isinstance(layer, Guard) and layer.option == flag else layer


def _needs(event: Observation) -> list[Need]:
    """What calls have to do so that they come to the place of an observation."""
    return [layer.need for layer in event.layers if isinstance(layer, Guard) and layer.need is not None]


def _why_not(found: Frequency, call: Call) -> str:
    if call.layers and isinstance(call.layers[-1], Guard) and call.layers[-1].reason == found.reason:
        return f"called only where it {found.reason}"
    if call.place.function:
        return f"called only from `{call.place.function}`, {_PHASE_OF_CALLER[found.runs]}"
    return f"called only from the script, {_PHASE_OF_CALLER[found.runs]}"


_PHASE_OF_CALLER = {
    Phase.STEP: "which runs in each step",
    Phase.INTERVAL: "where it runs every N steps",
    Phase.EVAL: "where it runs in evaluation",
    Phase.EPOCH: "where it runs once per epoch",
    Phase.DATA: "where it prepares data",
    Phase.ONCE: "where it runs once",
    Phase.BENCHMARK: "where it is measured",
    Phase.TEST: "which is a test",
}


def _all_calls(observed: Observations) -> dict[str, tuple[Call, ...]]:
    """The calls of each function; where none was resolved, those of methods with its name on unknown objects."""
    calls = dict(observed.calls)
    namesakes: dict[str, list[str]] = defaultdict(list)
    for key, facts in observed.functions.items():
        if facts.is_method and "_" in facts.name.strip("_"):
            namesakes[facts.name].append(key)
    for name, sites in observed.unresolved.items():
        keys = namesakes.get(name, [])
        for key in keys if len(keys) <= _MOST_NAMESAKES else ():
            if not any(call.is_certain for call in calls.get(key, ())):
                calls[key] = (*calls.get(key, ()), *sites)
    return calls


def _as_context(found: Frequency) -> Context:
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
