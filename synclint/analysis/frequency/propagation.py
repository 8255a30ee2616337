"""Frequencies found from who calls what: a fixpoint over the calls of all files together.

Each function gets a `Frequency`, the greatest of those that its callers, its text and its name give it. Who calls a
function says more than its name; where nobody is known to call it, its name decides, and without one it counts as
called in each step.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise

from synclint.analysis.frequency.calls_meant import Meant, all_calls, calls_by_name, with_only_ones
from synclint.analysis.frequency.circles import in_turn
from synclint.analysis.frequency.found_later import FoundLater
from synclint.analysis.frequency.frequencies import Frequency, Strength, outranks, ranked, repeated
from synclint.analysis.frequency.known_code import KnownCode
from synclint.analysis.frequency.known_frequencies import Flag, KnownFrequencies, flag_behind, path_of, without
from synclint.analysis.frequency.left_out import LeftOut, LeftOutFor, Node, all_left_out, hanging_on, leaving_out
from synclint.analysis.frequency.options_of_objects import OptionsOfObjects
from synclint.analysis.frequency.overriding import overriding_one_another
from synclint.analysis.frequency.own_text import called, evaluation, tried, with_roles
from synclint.analysis.frequency.started_work import started
from synclint.analysis.frequency.through_calls import AtCall, is_captured, through_call
from synclint.analysis.frequency.work import Work
from synclint.analysis.results.facts import Call, FunctionFacts, Guard, Layer
from synclint.analysis.results.observations import Observations
from synclint.findings import CallPlace, Context, Phase, Repetition

_MOST_ROUNDS = 200
_MOST_FLAGS_HANDED_ON = 8
_PREPARES_DATA = Context(Phase.DATA, "prepares data, usually in a loader's workers")
_UNKNOWN = Frequency(Phase.STEP, Strength.ASSUMED, "its callers may be steps")


class Propagation:
    """The frequencies of all functions that were ``observed``, and what tells of them.

    ``meant`` tells which methods calls on unknown objects may mean, ``unreached`` are the functions to which nothing
    leads that the project runs, ``projects`` tells of files in which of several projects they are, ``tried`` are those
    whose own program tries out what they define.
    """

    def __init__(
        self,
        observed: Observations,
        meant: Meant,
        unreached: frozenset[str] = frozenset(),
        projects: Mapping[str, int] | None = None,
        tried: frozenset[str] = frozenset(),
    ) -> None:
        self._tried = tried
        self._overriding = overriding_one_another(observed.functions)
        self._unreached = unreached
        self._loops = observed.loops
        self._seen = observed.calls
        self._asking: dict[str, set[CallPlace]] = defaultdict(set)
        for asked, sites in observed.unresolved.items():
            self._asking[asked.name].update(call.place for call in sites)
        self._named = calls_by_name(observed, meant)
        self._calls = all_calls(observed, meant, self._named)
        self._work = Work(observed, self._calls, projects or {})
        self._functions = {**observed.functions, **self._work.measuring}
        self._calls = with_only_ones(observed, meant, self._calls, unreached)
        self.code = KnownCode(
            self._functions,
            self._loops,
            {loop: self._work.rounds(loop) for loop in self._loops},
            self._work.holding_steps,
            self._work.making_results,
            self._work.inferring,
            self._work.making_one,
            frozenset(path for path in {*map(path_of, self._functions)} if self._work.trains_beside(path)),
            self._work.updating,
        )
        self._frequencies: dict[str, Frequency] = {}
        self._calls_told: dict[str, tuple[list[Call], list[Call]]] = {}
        self._at_calls: dict[tuple[int, str], AtCall] = {}
        self._option_of_object = OptionsOfObjects(self._functions, lambda key: self._own_calls(key)[1])
        self._left_out_for = LeftOutFor()
        self._left_out = all_left_out(chain.from_iterable(self._calls.values()), self._evidence_of_calls)
        self._hanging = hanging_on(self._left_out, self._calls, self._evidence_of_calls)
        self._by_what_is_left_out: dict[LeftOut, Frequency] = {}
        self._is_settled = False
        self._find_frequencies()
        self._is_settled = True

    def known(self, flags: Iterable[Flag]) -> KnownFrequencies:
        """What has been found; also how often functions run with these flags set."""
        told = FoundLater(self._functions, lambda key: self._given(key) or None)
        return KnownFrequencies(
            self.code,
            self._frequencies,
            told,
            {flag: self.where_set(*flag) for flag in flags},
            {key: loop for key in self._constructors if (loop := self._made_in_a_loop(key, set())) is not None},
            self._made_for_options(),
            {key: unrun for key in self._calls if (unrun := self._unrun(key))},
            {key: asking for key in self._functions if (asking := self._unfollowed(key))},
            FoundLater(self._functions, lambda key: self._callers_of(key, told[key]) if key in told else None),
        )

    def _callers_of(self, key: str, given: Iterable[tuple[CallPlace, Frequency]]) -> int:
        """How many functions are known to call one: a call of what a method overrides may as well mean another."""
        own = {call.place for call in self._calls.get(key, ())}
        return len({(place.path, place.function) for place, found in given if place in own and not found.guesses})

    def _made_for_options(self) -> dict[str, str]:
        """The options without which nobody makes an object, by its constructor."""
        options: dict[str, str] = {}
        for constructor in self._constructors:
            asked = {found.option for _, found in self._given(constructor)}
            if asked and "" not in asked:
                options[constructor] = min(asked)
        return options

    @property
    def _constructors(self) -> set[str]:
        return {facts.constructor for facts in self._functions.values() if facts.constructor is not None}

    def where_set(self, function: str, flag: str, callers: tuple[str, ...] = ()) -> Frequency | None:
        """How often a function runs with a flag set that is off by default; None where no call is seen to set it."""
        facts = self._functions[function]
        if facts.configured is not None or facts.fixed is not None:
            return None
        if function in callers or len(callers) == _MOST_FLAGS_HANDED_ON:
            return None
        made: list[Frequency] = []
        for call in self._evidence_of_calls(function):
            handed_on = dict(call.passes).get(flag)
            if flag in call.sets:
                made.append(through_call(self._under_flags(call, function, (*callers, function)), call))
            elif flag in call.may_set:
                found = self._under_flags(call, function, (*callers, function))
                made.append(through_call(found, call)._replace(option=flag))
            elif handed_on is not None:
                around = self.where_set(call.caller, handed_on, (*callers, function))
                if around is not None:
                    made.append(through_call(self.code.frequency_at(call.caller, call.layers, around), call))
        return self._first_in_rank(made)

    def _given(self, key: str) -> tuple[tuple[CallPlace, Frequency], ...]:
        """What each call that tells of a function gives it, the greatest first.

        Nothing where a text names it: under which of its calls something waits is not known then.
        """
        if key in self._named:
            return ()
        calls = self._evidence_of_calls(key)
        given = [(call.place, through_call(self._under_flags(call, key), call)) for call in calls]
        return tuple(given) if len(given) < 2 else ranked(given, self._order_keys)

    def _unrun(self, key: str) -> tuple[CallPlace, ...]:
        """The calls of a function by what nothing runs, where something runs others."""
        calls = self._calls[key]
        unrun = [call for call in calls if call.caller in self._unreached]
        is_run = any(call.caller not in self._unreached and not self._is_aside(call.caller) for call in calls)
        return tuple(sorted({call.place for call in unrun})) if is_run and key in self._functions else ()

    def _unfollowed(self, key: str) -> tuple[CallPlace, ...]:
        """The calls that tell of a method, but ask something unknown for one of its name."""
        asking = self._asking.get(self._functions[key].name)
        if not asking:
            return ()
        followed = {call.place for call in self._seen.get(key, ())}
        return tuple(sorted({call.place for call in self._evidence_of_calls(key)} & asking - followed))

    def _find_frequencies(self) -> None:
        """Find the frequency of each function: iterated from none until nothing changes."""
        found = self._frequencies
        dependents: dict[str, set[str]] = defaultdict(set)
        for callee, calls in self._calls.items():
            for call in calls:
                for caller in (call.caller, *(way[0].caller for way in call.given)):
                    dependents[caller].add(callee)
        for key, facts in self._functions.items():
            for other in (facts.parent, facts.overrides):
                if other is not None:
                    dependents[other].add(key)
        self._iterate({*self._functions, *self._left_out}, dependents)
        # What is left are functions that call each other, with nobody known to call them, and what only they call.
        for group in in_turn([key for key in self._functions if key not in found], dependents):
            circular = [key for key in group if key not in found]
            unknown = {key: _UNKNOWN._replace(is_alone=self._is_alone(key)) for key in circular}
            found.update({key: self._uncalled(self._functions[key], key) or unknown[key] for key in circular})
            self._iterate({dependent for key in circular for dependent in dependents[key]}, dependents)

    def _iterate(self, waiting: Iterable[Node], dependents: Mapping[str, set[str]]) -> None:
        """Settle functions until nothing changes, each round from the results of the round before.

        So the order in which functions are looked at makes no difference. What has been found counts until something
        greater is: functions that call each other would hand their paths to one another for ever.
        """
        for _ in range(_MOST_ROUNDS):
            changed: dict[str, Frequency] = {}
            told: dict[LeftOut, Frequency] = {}
            for key in waiting:
                if isinstance(key, str):
                    new, old = self._frequency_of(key), self._frequencies.get(key)
                    if new is not None and new != old and (old is None or self._outranks(new, old)):
                        changed[key] = new
                else:
                    new, old = self._where_left_out(*key), self._by_what_is_left_out.get(key)
                    if new is not None and new != old and (old is None or self._outranks(new, old)):
                        told[key] = new
            if not changed and not told:
                return
            self._frequencies.update(changed)
            self._by_what_is_left_out.update(told)
            nodes: list[Node] = [*changed, *told]
            hanging = chain.from_iterable(self._hanging[node] for node in nodes if node in self._hanging)
            waiting = {*hanging, *(dependent for key in changed for dependent in dependents.get(key, ()))}

    def _is_alone(self, key: str) -> bool:
        """Whether a function belongs to a project in which nothing trains."""
        return path_of(key) not in self.code.training

    def _frequency_of(self, key: str) -> Frequency | None:
        """How often a function runs, by what is known of its callers so far; None where nothing is yet."""
        facts = self._functions[key]
        certain = facts.configured or facts.fixed or (_PREPARES_DATA if facts.on_host else None)
        if certain is not None:
            captured = facts.captured if facts.fixed is None else None
            return Frequency(certain.runs, Strength.SHOWN, certain.reason, is_entry=facts.is_module, captured=captured)
        if facts.is_module:
            is_entry = key not in self._work.holding_steps and path_of(key) not in self._tried
            reason = "runs once, when the module is imported"
            return Frequency(Phase.ONCE, Strength.SHOWN, reason, is_entry=is_entry, is_alone=self._is_alone(key))
        calls = self._evidence_of_calls(key)
        best = self._greatest(calls, key)
        if best is None and calls:
            return None
        if best is not None and best.runs is Phase.ONCE and best.strength is Strength.ASSUMED:
            if set(self._seen.get(key, ())).isdisjoint(calls):
                best = None  # by its name alone it is known to be called there: another method may be meant
        return self._with_own_text(facts, key, best)

    def _evidence_of_calls(self, key: str) -> list[Call]:
        """The calls that tell how often a function runs; those of tests and benchmarks say nothing of other code.

        Nor do those of code that nothing runs, or that runs where no GPU is, where what runs calls it as well. Who
        captures a function as a graph also calls it before that, which is no more than a part of capturing it.
        """
        calls, certain = self._own_calls(key)
        # Calls through `super()` tell of one class, and calls of a method of its own do not say that none of those of
        # what it overrides means it; who calls that says more than what it is handed to.
        overridden = self._functions[key].overrides
        if overridden is None:
            return certain or [call for call in calls if self._runs_step(call)]
        above = self._evidence_of_calls(overridden)
        above = [call for call in above if not call.goes_up and self._takes(key, call)]
        return [*certain, *above] or [call for call in calls if self._runs_step(call)]

    def _takes(self, key: str, call: Call) -> bool:
        """Whether a function takes what a call gives that means it or another one in whose place it stands."""
        takes = self._functions[key].takes
        return takes is None or call.gives is None or takes.fits(call.gives)

    def _own_calls(self, key: str) -> tuple[list[Call], list[Call]]:
        """The calls of a function that are not aside, and those of them that are certain to be made."""
        if key not in self._calls_told:
            calls = [call for call in self._calls.get(key, ()) if not self._is_aside(call.caller)]
            calls = [call for call in calls if call.caller not in self._unreached] or calls
            calls = [call for call in calls if not self._functions[call.caller].is_elsewhere] or calls
            capturing = {call.caller for call in calls if is_captured(call) and self._means_only(call, key)}
            told = [call for call in calls if call.is_certain and (is_captured(call) or call.caller not in capturing)]
            self._calls_told[key] = calls, told
        return self._calls_told[key]

    def _means_only(self, call: Call, key: str) -> bool:
        """Whether a call can run no other function of its name than this one: of several, one is meant at a time."""
        return call in self._calls.get(key, ()) and self._called_at[call.place, self._functions[key].name] == 1

    @cached_property
    def _called_at(self) -> Counter[tuple[CallPlace, str]]:
        """How many functions of a name the calls at a place may mean."""
        return Counter(
            one
            for key, calls in self._calls.items()
            for one in {(call.place, self._functions[key].name) for call in calls}
        )

    def _alternatives(self, call: Call, key: str) -> int:
        """How many methods a call means one of: those of its name at its place, or those that override one another."""
        several = self._called_at[call.place, self._functions[key].name]
        return several if call in self._calls.get(key, ()) else max(several, self._overriding[key])

    def _is_aside(self, caller: str) -> bool:
        fixed = self._functions[caller].fixed
        return fixed is not None and fixed.runs in (Phase.TEST, Phase.BENCHMARK)

    def _runs_step(self, call: Call) -> bool:
        """Whether a function that is handed on at a place can be taken for called there: where steps are made."""
        known = self._frequencies.get(call.caller)
        return known is not None and self.code.frequency_at(call.caller, call.layers, known).runs is Phase.STEP

    def _greatest(self, calls: Iterable[Call], callee: str) -> Frequency | None:
        """The greatest frequency that calls give to what they call, None where that of no caller is known yet.

        Most calls are outdone before it matters how they would be told.
        """
        made = [at for call in calls if (at := self._at(call, callee)) is not None]
        if len(made) > 1:
            greatest = max(one.weight for one in made)
            made = [one for one in made if one.weight == greatest]
        return self._first_in_rank(one.told for one in made)

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

    def _at_call(self, call: Call, key: str) -> Frequency:
        """The frequency of the place of a call, of one that makes a generator that of the generator's rounds."""
        at = self._at(call, key)
        assert at is not None
        return at.found

    def _at(self, call: Call, key: str) -> AtCall | None:
        around = self._of_caller(call)
        if around is None:
            return None
        known = self._at_calls.get((id(call), key))
        if known is None or known.around is not around:
            found = self.code.frequency_at(call.caller, self._layers_of_step(call.layers, key), around)
            found = found._replace(option=found.option or self._option_of_object(call.caller))
            if call.starts:
                found = started(
                    found, around, call, holds_work=not self._is_alone(key) and key in self._work.holding_steps
                )
            known = self._at_calls[id(call), key] = AtCall(call, around, self._of_callee(call, key, found))
        return known

    def _of_caller(self, call: Call) -> Frequency | None:
        """How often the caller runs, of what it was given under the calls that give it that; None if not yet known."""
        if not call.given:
            left_out = self._left_out_for(call)
            if left_out in self._left_out and (left_out in self._by_what_is_left_out or not self._is_settled):
                return self._by_what_is_left_out.get(left_out)
            return self._frequencies.get(call.caller)
        return self._first_in_rank(found for way in call.given if (found := self._by_way(way, call)) is not None)

    def _where_left_out(self, function: str, flag: str) -> Frequency | None:
        """How often a function runs by those calls alone that leave out a parameter; None if nothing is known yet."""
        calls = self._evidence_of_calls(function)
        leaving = [*leaving_out(flag, calls)]
        if len(leaving) == len(calls) and all(source is None for _, source in leaving):
            return self._frequencies.get(function)
        made: list[Frequency] = []
        for call, source in leaving:
            around = self._of_caller(call) if source is None else self._by_what_is_left_out.get(source)
            if around is not None:
                found = self.code.frequency_at(call.caller, self._layers_of_step(call.layers, function), around)
                made.append(through_call(self._of_callee(call, function, found), call))
        best = self._first_in_rank(made)
        makes_results = function in self.code.making_results
        return None if best is None else tried(self._functions[function], best, makes_results=makes_results)

    def _by_way(self, way: Sequence[Call], call: Call) -> Frequency | None:
        """How often a caller runs by the calls that lead there one after another."""
        found = self._frequencies.get(way[0].caller)
        for one, callee in pairwise((*way, call)):
            if found is None:
                return None
            found = self._of_callee(one, callee.caller, self.code.frequency_at(one.caller, one.layers, found))
            found = self._with_own_text(self._functions[callee.caller], callee.caller, through_call(found, one))
        return found

    def _layers_of_step(self, layers: Iterable[Layer], key: str) -> Iterable[Layer]:
        """What stands around a call; of what steps an optimizer every few steps, these are the steps.

        What goes over all that has been collected in an environment by then is an epoch of that.
        """
        if self._work.steps_an_optimizer(key):
            return [one for one in layers if not isinstance(one, Guard) or one.runs is not Phase.INTERVAL]
        layers = tuple(layers)
        if not self._work.learns_from_actions(key, layers):
            return layers
        reason = "runs once for each update, around the loop over batches"
        return [
            one._replace(runs=Phase.EPOCH, reason=reason)
            if isinstance(one, Guard) and one.runs is Phase.INTERVAL
            else one
            for one in layers
        ]

    def _under_flags(self, call: Call, key: str, callers: tuple[str, ...] = ()) -> Frequency:
        """The same, where the calls are seen that set the flag of the caller behind which it stands: by these alone."""
        flag = flag_behind(call.caller, call.layers)
        where_set = self.where_set(*flag, callers) if flag is not None else None
        if flag is None or where_set is None:
            return self._at_call(call, key)
        layers = self._layers_of_step((without(flag, layer) for layer in call.layers), key)
        return self._of_callee(call, key, self.code.frequency_at(call.caller, layers, where_set))

    def _of_callee(self, call: Call, key: str, found: Frequency) -> Frequency:
        """How often what is called at a place runs, by how often the place does.

        Of several functions that a captured call may mean, which one is captured is not known.
        """
        callee = self._functions[key]
        if found.captured is not None and not self._means_only(call, key):
            found = found._replace(captured=None)
        if found.runs is Phase.ONCE and self._work.is_apart(call, key):
            found = found._replace(is_apart=True)
        if (several := self._alternatives(call, key)) > found.alternatives:
            found = found._replace(alternatives=several)
        if callee.name == "__init__":  # what is done while an object is made prepares the work of the program
            found = found._replace(is_entry=False)
        if found.runs is Phase.STEP and found.trains and self._work.looks_on(key):
            found = found._replace(runs=Phase.EVAL, strength=Strength.SHOWN, trains=False)
        if (loop := self._made_by_the_caller(call, callee)) is not None:
            found = repeated(found, loop)
        if callee.collates and found.runs in (Phase.ONCE, Phase.EPOCH):
            # The loader that is made here calls it for each batch; who loops over the loader is seen only here.
            feeds = self._functions[call.caller].holds_steps
            return found._replace(runs=Phase.STEP, strength=Strength.SHOWN, is_entry=False, trains=feeds, times=())
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
                makes_results=found.makes_results or found.is_entry,  # a program asks for what it is there for
                trains=feeds,
            )
        return found

    def _with_own_text(self, facts: FunctionFacts, key: str, given: Frequency | None) -> Frequency | None:
        if given is not None:
            return called(facts, given, makes_results=key in self.code.making_results)
        found = evaluation(facts, None, makes_results=False) or self._uncalled(facts, key)
        return None if found is None else with_roles(facts, found, None)

    def _uncalled(self, facts: FunctionFacts, key: str) -> Frequency | None:
        """How often a function runs of which nobody knows who calls it."""
        if facts.answers_requests:
            is_entry = key not in self._work.holding_steps
            reason = f"`{facts.name}` runs once for each request"
            return Frequency(Phase.ONCE, Strength.SHOWN, reason, is_entry=is_entry)
        if facts.named is not None:
            return Frequency(facts.named.runs, Strength.NAMED, facts.named.reason)
        if facts.hot is not None:
            return Frequency(Phase.STEP, Strength.NAMED, facts.hot, self._layers_of(facts))
        if facts.is_entry:
            is_entry = key not in self._work.holding_steps
            reason = f"`{facts.name}` is the entry point of a program"
            return Frequency(Phase.ONCE, Strength.NAMED, reason, is_entry=is_entry, is_alone=self._is_alone(key))
        if (seldom := self._work.done_seldom(key)) is not None:
            return Frequency(seldom.runs, Strength.NAMED, seldom.reason)
        if facts.parent is not None:
            return None if (around := self._frequencies.get(facts.parent)) is None else around._replace(loop="")
        unknown = f"nothing in the checked files calls `{facts.name}`"
        return Frequency(Phase.STEP, Strength.ASSUMED, unknown, is_alone=self._is_alone(key))

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
