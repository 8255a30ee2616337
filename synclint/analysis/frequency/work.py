"""What the rounds of loops do, with all that they call: which step an optimizer, and which stand around such loops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain

from synclint.analysis.frequency.known_frequencies import path_of
from synclint.analysis.results.facts import Call, Evidence, FunctionFacts, Guard, Layer
from synclint.analysis.results.observations import Observations
from synclint.analysis.syntax.arms import are_apart
from synclint.findings import CallPlace, Context, Phase

# What goes on between two updates: backward passes that add up, steps in an environment that are learned from.
_BETWEEN_UPDATES = frozenset({Evidence.BACKWARD, Evidence.ENVIRONMENT})
# Of the methods that run in each step by their names, those that make the steps; others are asked for results as well.
_STEPS = frozenset({"step", "training_step"})


class Work:
    """The work of functions and loops, found from their text and from the calls in them, in any order alike."""

    def __init__(
        self, observed: Observations, calls: Mapping[str, tuple[Call, ...]], projects: Mapping[str, int]
    ) -> None:
        self._projects = projects
        self._functions = observed.functions
        self._loops = observed.loops
        self._made_in: dict[str, list[tuple[str, Call]]] = defaultdict(list)
        self._made_in_loop: dict[str, list[tuple[str, Call]]] = defaultdict(list)
        self._callers: dict[str, set[str]] = defaultdict(set)
        self._handed_on_in_loop: dict[str, list[tuple[str, Call]]] = defaultdict(list)
        handing_on: dict[str, set[str]] = defaultdict(set)
        parts = {key for key, facts in self._loops.items() if facts.evidence is Evidence.PARTS}
        for callee, sites in calls.items():
            for call in (_outside_of(parts, site) for site in sites):
                handing_on[callee].add(call.caller)
                for layer in call.layers:
                    if isinstance(layer, str):
                        self._handed_on_in_loop[layer].append((callee, call))
                if call.is_certain:
                    self._made_in[call.caller].append((callee, call))
                    self._callers[callee].add(call.caller)
                    for layer in call.layers:
                        if isinstance(layer, str):
                            self._made_in_loop[layer].append((callee, call))
        self._optimizing = self._reached_directly(Evidence.OPTIMIZER)
        self._backward = self._reached_directly(Evidence.BACKWARD)
        self._receiving = self._spread_directly(
            {key for key, facts in self._functions.items() if facts.receives}, frozenset()
        )
        self._acting = self._reached_directly(Evidence.ENVIRONMENT)
        playing = (key for key, facts in self._functions.items() if facts.holds_actions)
        self._playing = self._spread(playing, self._callers, lambda _: True)
        self._quiet_in_turn = self._found_quiet_in_turn()
        self._building = self._found_building()
        models = (key for key, facts in self._functions.items() if facts.name == "forward")
        self._running_models = self._spread(models, self._callers, lambda _: True)
        self._inferring = self._found_inferring()
        self._step_loops: dict[str, bool] = {}
        training = {key for key, facts in self._functions.items() if facts.holds_steps or self._trains(key)}
        # Whoever is handed a function that trains, as `run_stage("train", self.train)`, calls it there.
        self._holding = frozenset(self._spread(training, handing_on, lambda facts: not _evaluates(facts)))
        self._rounds: dict[str, Evidence] = {}
        self.making_one = self._found_making_one()
        self._quiet_in_turn |= self.making_one
        self.updating = self._found_updating()
        self.measuring = self._found_measuring(chain.from_iterable(calls.values()))

    @property
    def holding_steps(self) -> frozenset[str]:
        """The functions that have, or call one that has, a loop that trains or takes batches to train on."""
        return self._holding

    def done_seldom(self, function: str) -> Context | None:
        """How often a function runs that trains nothing, and saves something or makes a model whenever it is called."""
        facts = self._functions[function]
        if function in self._holding or facts.saves is not None:
            return None if function in self._holding else facts.saves
        if facts.parent is not None or function not in self._building - self._optimizing - self._backward:
            return None
        return Context(Phase.ONCE, f"`{facts.name}` makes a model whenever it is called")

    def _found_updating(self) -> Mapping[str, frozenset[Guard]]:
        """The guards every few rounds behind which functions do all that they train, or else leave: that is a step."""
        trained = (Evidence.OPTIMIZER, Evidence.BACKWARD)
        found = {}
        for key, made in self._made_in.items():
            calls = [call for callee, call in made if callee in self._optimizing and not call.is_idle]
            around = {layer for call in calls for layer in call.layers if isinstance(layer, str)}
            facts = self._functions[key]
            if not calls or key in self._optimizing or not facts.leaves_early or facts.steps in trained:
                continue
            if any(self._loops[loop].evidence in trained for loop in around):
                continue
            common = set.intersection(*(set(filter(_is_at_intervals, call.layers)) for call in calls))
            if common:
                found[key] = frozenset(layer for layer in common if isinstance(layer, Guard))
        return found

    def trains_beside(self, path: str) -> bool:
        """Whether anything in the project of a file steps an optimizer."""
        return self._projects.get(path) in self._training

    @cached_property
    def _training(self) -> frozenset[int | None]:
        """The projects in which anything steps an optimizer."""
        loops = (loop for loop, facts in self._loops.items() if facts.evidence is Evidence.OPTIMIZER)
        return frozenset(self._projects.get(path_of(key)) for key in (*self._optimizing, *loops))

    @property
    def making_results(self) -> frozenset[str]:
        """The loops that call in each round what runs a model in turn, gradients off, and the functions around them."""
        found = {
            (loop, call.caller)
            for loop, made in self._made_in_loop.items()
            for callee, call in made
            if callee in self._quiet_in_turn and not _is_guarded(call) and loop in call.layers_beside_rounds
        }
        return frozenset(key for pair in found for key in pair)

    def is_apart(self, call: Call, callee: str) -> bool:
        """Whether a program that trains makes a call only in runs in which it does not: by what it is asked for."""
        if not call.arms or callee in self._holding or self._functions[call.caller].holds_steps:
            return False
        training = [one for made, one in self._made_in[call.caller] if made in self._holding]
        return bool(training) and all(are_apart(call.arms, one.arms) for one in training)

    @property
    def inferring(self) -> frozenset[str]:
        """The loops that run a model in their rounds with gradients off, or what uses one in evaluation mode."""
        return frozenset(
            loop
            for loop, made in self._made_in_loop.items()
            if any(self._infers(callee, call) and not _is_guarded(call) for callee, call in made)
        )

    def steps_an_optimizer(self, function: str) -> bool:
        """Whether a function steps an optimizer, or calls one that does, outside of its loops."""
        return function in self._optimizing

    def looks_on(self, function: str) -> bool:
        """Whether a method trains nothing, and takes the place of one that steps an optimizer: it looks at batches."""
        overridden = self._functions[function].overrides
        if overridden is None or function in self._holding:
            return False
        return overridden in self._optimizing and function not in self._optimizing | self._backward

    def rounds(self, loop: str) -> Evidence:
        """What the rounds of a loop are; ``EPOCHS`` or ``RESULTS`` where they stand around others that are steps."""
        if loop not in self._rounds:
            self._rounds[loop] = self._found_rounds(loop)
        return self._rounds[loop]

    def _found_rounds(self, loop: str) -> Evidence:
        facts = self._loops[loop]
        if self._makes_steps(loop):
            if self._calls_one_of(self._optimizing, loop, seldom=facts.evidence is Evidence.ENVIRONMENT):
                return Evidence.OPTIMIZER
            if self._calls_one_of(self._backward, loop):
                return Evidence.OPTIMIZER if facts.evidence is Evidence.OPTIMIZER else Evidence.BACKWARD
            # Of the loops over batches in one body, those that train are the training.
            return Evidence.VALIDATION if facts.is_beside_training else facts.evidence
        if self._calls_by_itself(self._receiving, loop):
            return Evidence.REQUESTS
        if facts.evidence is Evidence.VALIDATION and self._makes_results_one_by_one(loop):
            return Evidence.RESULTS
        if facts.evidence in (Evidence.VALIDATION, Evidence.FRAMES):
            return facts.evidence
        if facts.evidence is Evidence.ENVIRONMENT or (
            facts.evidence is Evidence.NONE and self._calls_by_itself(self._acting, loop)
        ):
            learns = facts.holds_steps or self._learns(loop)
            learns = learns or self._calls_one_of(self._backward, loop) or self._holds_steps(loop)
            return Evidence.BACKWARD if learns else Evidence.ENVIRONMENT
        callees = [callee for callee, call in self._made_in_loop[loop] if not _is_guarded(call)]
        handed_on = (callee for callee, call in self._handed_on_in_loop[loop] if not _is_guarded(call))
        if facts.holds_steps or self._holds_steps(loop):
            return Evidence.EPOCHS
        # What goes on until something ends it serves, where nothing trains, whatever one of its calls goes through.
        serves = facts.is_open and not self.trains_beside(path_of(loop))
        if not serves and any(callee in self._holding for callee in handed_on):
            return Evidence.EPOCHS
        if facts.evidence in (Evidence.NONE, Evidence.FEW) and self._calls_one_of(self._backward, loop):
            return Evidence.BACKWARD
        if facts.holds_actions or any(callee in self._playing for callee in callees):
            return Evidence.ROLLOUTS
        if self._makes_results_one_by_one(loop):
            return Evidence.RESULTS
        if facts.evidence is Evidence.NONE and not serves and any(callee in self._building for callee in callees):
            return Evidence.EPOCHS
        return facts.evidence if facts.evidence is not Evidence.BATCHES else Evidence.NONE

    def _learns(self, loop: str) -> bool:
        """Whether every few rounds call what trains on what has been collected by then."""
        return any(
            callee in self._holding and not call.is_idle and _is_guarded(call)
            for callee, call in self._made_in_loop[loop]
        )

    def learns_from_actions(self, function: str, layers: Iterable[Layer]) -> bool:
        """Whether a function trains on what a loop over steps in an environment, one of the layers, has collected."""
        around = (layer for layer in layers if isinstance(layer, str))
        return function in self._holding and any(self._loops[one].evidence is Evidence.ENVIRONMENT for one in around)

    def _makes_results_one_by_one(self, loop: str) -> bool:
        """Whether each round makes a result by a loop of its own, or by a function that has one, with gradients off.

        What somebody types is answered as a whole, whatever that takes. Each answer of a conversation is a result, too.
        """
        facts = self._loops[loop]
        if facts.is_asked:
            return True
        if not facts.is_one_by_one and (not facts.is_in_turn or facts.is_open):
            return False
        made = [(callee, call) for callee, call in self._made_in_loop[loop] if loop in call.layers_beside_rounds]
        return any(callee in self._quiet_in_turn and not _is_guarded(call) for callee, call in made)

    def _makes_steps(self, loop: str) -> bool:
        """Whether each round of a loop steps an optimizer, or takes a batch and holds no loop that does.

        A loop that runs a backward pass in each round steps its optimizer after every few of them, too.
        """
        if loop not in self._step_loops:
            facts = self._loops[loop]
            self._step_loops[loop] = (
                facts.evidence is Evidence.OPTIMIZER
                or self._calls_one_of(self._optimizing, loop, seldom=facts.evidence in _BETWEEN_UPDATES)
                or (facts.evidence is Evidence.BATCHES and not facts.holds_steps and not self._holds_steps(loop))
            )
        return self._step_loops[loop]

    def _holds_steps(self, loop: str) -> bool:
        """Whether a loop within steps an optimizer by what it calls."""
        within = {layer for _, call in self._made_in_loop[loop] for layer in _inside(call, loop)}
        return any(isinstance(layer, str) and self._makes_steps(layer) for layer in within)

    def _calls_one_of(self, functions: set[str], loop: str, seldom: bool = False) -> bool:
        """Whether a loop calls one of the functions in each round, and not in a loop within that makes steps itself.

        With ``seldom``, a call in few of the rounds is one, too.
        """
        for callee, call in self._made_in_loop[loop]:
            if callee in functions and not call.is_idle and (seldom or not _is_guarded(call)):
                if not any(isinstance(layer, str) and self._makes_steps(layer) for layer in _inside(call, loop)):
                    return True
        return False

    def _calls_by_itself(self, functions: set[str], loop: str) -> bool:
        """Whether a loop calls one of the functions in each round, and not in a loop within."""
        return any(
            callee in functions and not _is_guarded(call) and not any(isinstance(x, str) for x in _inside(call, loop))
            for callee, call in self._made_in_loop[loop]
        )

    def _found_building(self) -> set[str]:
        """The functions that make a model whenever they are called: rounds that do so are no steps."""
        modules = (facts.constructor for facts in self._functions.values() if facts.name == "forward")
        found = {constructor for constructor in modules if constructor is not None}
        always: dict[str, set[str]] = defaultdict(set)
        for caller, made in self._made_in.items():
            if self._functions[caller].hot is None:
                for callee, call in made:
                    if not _is_guarded(call):
                        always[callee].add(caller)
        waiting = sorted(found)
        while waiting:
            new = always[waiting.pop()] - found
            found |= new
            waiting += sorted(new)
        return found

    def _infers(self, callee: str, call: Call) -> bool:
        """Whether a call runs a model for what it gives, and nothing learns from it."""
        around = self._functions[call.caller]
        runs_one_here = around.is_quiet and callee in self._running_models
        return callee in self._inferring or (runs_one_here and _is_for_results(around))

    def _found_inferring(self) -> set[str]:
        """The functions that run a model for what it gives, by what is done in them, and those that call one.

        None of them trains or evaluates, and names count for nothing here.
        """
        found = (
            key
            for key, facts in self._functions.items()
            if (facts.is_quiet and key in self._running_models) or (facts.infers and not facts.is_named_inference)
        )
        return self._spread(found, self._callers, _is_for_results)

    def _found_quiet_in_turn(self) -> set[str]:
        """The functions that run a model in turn with gradients off, and those that do little else than call one.

        What calls these has more to do than one result.
        """
        running = {key for key, facts in self._functions.items() if facts.runs_in_turn}
        around = {caller for key in running for caller in self._callers[key] if self._functions[caller].hot is None}
        quiet = {key for key in running if self._functions[key].is_quiet}
        quiet |= {key for key in around if self._functions[key].is_quiet}
        quiet |= {
            key
            for key in around
            if any(made in quiet for made, call in self._made_in[key] if not call.layers_beside_rounds)
        }
        # A conversation, each round of which is an answer to what has been said.
        return quiet | {key for key in running if any(made in quiet for made, _ in self._made_in[key])}

    def _found_making_one(self) -> frozenset[str]:
        """The functions that make one result when they are called, and the loops that do so, with gradients off.

        Gradients are off in the function with the loop, in all that call it, or in what its rounds call. Whoever calls
        such a function outside of loops makes one result as well, through however many others, but not who calls what
        may be any of several classes, of which some make one in turn: an engine runs all models alike. What a method
        whose name is that of a step asks for, through however many others, is a part of the step.
        """
        turns = {loop for loop, facts in self._loops.items() if facts.is_in_turn}
        making, loops = set(), set()
        for key, facts in self._functions.items():
            own = {x for _, call in self._made_in[key] for x in call.layers if x in turns}
            callers = [self._functions[caller] for caller in self._callers[key]]
            called_quiet = bool(callers) and all(caller.is_quiet and caller.is_free for caller in callers)
            own_quiet = {loop for loop in own if self._is_quiet_within(loop)}
            if facts.runs_in_turn and facts.is_free and (facts.is_quiet or called_quiet or own_quiet):
                making.add(key)
                loops |= own if facts.is_quiet or called_quiet else own_quiet
        meant: defaultdict[tuple[CallPlace, str], set[str]] = defaultdict(set)
        for calls in self._made_in.values():
            for made, call in calls:
                meant[call.place, self._functions[made].name].add(made)
        asked = set(making)
        waiting = sorted(making)
        while waiting:
            callee = waiting.pop()
            name = self._functions[callee].name
            for caller in self._callers[callee] - making:
                around = self._functions[caller]
                here = [
                    call for made, call in self._made_in[caller] if made == callee and not call.layers_beside_rounds
                ]
                if not (around.is_free and _is_for_results(around)):
                    continue
                if any(meant[call.place, name] <= making for call in here):
                    making.add(caller)
                    waiting.append(caller)
        steps = (key for key, facts in self._functions.items() if facts.hot is not None and facts.name in _STEPS)
        called = {caller: {made for made, _ in calls} for caller, calls in self._made_in.items()}
        in_steps = self._spread(steps, called, lambda _: True)
        return frozenset(asked | (making - in_steps) | loops) - self._holding

    def _is_quiet_within(self, loop: str) -> bool:
        """Whether gradients are off in what the rounds of a loop call."""
        return any(self._functions[callee].is_quiet for callee, _ in self._made_in_loop[loop])

    def _found_measuring(self, calls: Iterable[Call]) -> Mapping[str, FunctionFacts]:
        """The functions that train nothing and give another one what it measures, and what only they call beside them.

        They prepare a measurement, however often.
        """
        reasons = {
            first.caller: f"prepares what `{self._functions[call.caller].name}` measures"
            for call in calls
            if call.given and self._functions[call.caller].is_clocked
            for (first, *_) in call.given
        }
        found: dict[str, FunctionFacts] = {}
        waiting = sorted(key for key in reasons if not self._functions[key].is_module)
        while waiting:
            key = waiting.pop()
            if key in found or key in self._holding | self._optimizing:
                continue
            facts = self._functions[key]
            found[key] = replace(facts, fixed=facts.fixed or Context(Phase.BENCHMARK, reasons[key]))
            for callee in sorted({callee for callee, _ in self._made_in[key]}):
                if path_of(callee) == path_of(key) and self._callers[callee] <= found.keys():
                    reasons.setdefault(callee, reasons[key])
                    waiting.append(callee)
        return found

    def _trains(self, function: str) -> bool:
        return any(
            isinstance(layer, str) and self._makes_steps(layer) and self._loops[layer].evidence is not Evidence.BATCHES
            for _, call in self._made_in[function]
            for layer in call.layers
        )

    def _reached_directly(self, evidence: Evidence) -> set[str]:
        """The functions that show the evidence outside their loops, and those that call them there.

        None of these has a loop over batches in each round of which such a function is called: what it does otherwise
        takes the place of that loop, or ends it.
        """
        showing = {key for key, facts in self._functions.items() if facts.steps is evidence}
        reaching = self._spread_directly(showing, frozenset())
        return self._spread_directly(
            showing, frozenset(filter(lambda key: self._goes_through(key, reaching), reaching))
        )

    def _goes_through(self, function: str, steps: set[str]) -> bool:
        """Whether a function has a loop over batches that calls one of the ``steps``."""
        return any(
            isinstance(layer, str) and self._loops[layer].evidence is Evidence.BATCHES
            for callee, call in self._made_in[function]
            if callee in steps
            for layer in call.layers
        )

    def _spread_directly(self, functions: set[str], others: frozenset[str]) -> set[str]:
        """The functions, and those that call them outside of loops, through however many; but for the ``others``."""
        found = functions - others
        waiting = sorted(found)
        while waiting:
            callee = waiting.pop()
            for caller in self._callers[callee]:
                if caller not in found and caller not in others and not _evaluates(self._functions[caller]):
                    made_here = (call for made, call in self._made_in[caller] if made == callee)
                    if any(not call.layers and not call.is_idle for call in made_here):
                        found.add(caller)
                        waiting.append(caller)
        return found

    def _spread(
        self, functions: Iterable[str], callers: Mapping[str, set[str]], admits: Callable[[FunctionFacts], bool]
    ) -> set[str]:
        """The functions that are admitted, and all admitted ones that call them, through however many others."""
        found = {key for key in functions if admits(self._functions[key])}
        waiting = sorted(found)
        while waiting:
            for caller in callers.get(waiting.pop(), ()):
                if caller not in found and admits(self._functions[caller]):
                    found.add(caller)
                    waiting.append(caller)
        return found


def _outside_of(parts: Collection[str], call: Call) -> Call:
    """A call as if the loops over the parts of a step were none: what they train, they train in each step."""
    layers = tuple(layer for layer in call.layers if layer not in parts)
    return call if len(layers) == len(call.layers) else call._replace(layers=layers)


def _inside(call: Call, loop: str) -> tuple[Layer, ...]:
    """What stands around a call within a loop."""
    return call.layers[call.layers.index(loop) + 1 :]


def _is_at_intervals(layer: Layer) -> bool:
    return isinstance(layer, Guard) and layer.runs is Phase.INTERVAL


def _is_guarded(call: Call) -> bool:
    return any(isinstance(layer, Guard) and layer.runs is not Phase.STEP for layer in call.layers)


def _evaluates(facts: FunctionFacts) -> bool:
    return facts.evaluates or (facts.named is not None and facts.named.runs in (Phase.EVAL, Phase.TEST))


def _is_for_results(facts: FunctionFacts) -> bool:
    """Whether a function neither trains nor evaluates."""
    trains = facts.holds_steps or facts.steps in (Evidence.OPTIMIZER, Evidence.BACKWARD)
    return not (trains or _evaluates(facts))
