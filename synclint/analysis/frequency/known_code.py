"""How often a place within a function runs, from how often the function does and what stands around the place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from synclint.analysis.frequency.frequencies import ASIDE, TURNS, WORK, Frequency, Strength, guarded, repeated, stepping
from synclint.analysis.results.facts import Evidence, FunctionFacts, Guard, Layer, LoopFacts
from synclint.findings import Phase, place_in_words

_TRAINING_LOOP = {
    Evidence.OPTIMIZER: "in the training loop",
    Evidence.BACKWARD: "in the training loop",
    Evidence.BATCHES: "in the loop over batches",
}

# The rounds of these are parts of the step around them.
_WITHIN_STEPS = frozenset({Evidence.PARTS, Evidence.FEW})

_CLOCKED = "`{}` waits in order to read a clock"


def _is_in_training(found: Frequency, facts: FunctionFacts) -> bool:
    """Whether a place is part of a training step, whatever mode a model is in."""
    return found.runs is Phase.STEP and (found.trains or facts.steps in (Evidence.OPTIMIZER, Evidence.BACKWARD))


def _own_text(facts: FunctionFacts) -> FunctionFacts:
    """What is known of a function but for what others do with it."""
    return replace(facts, captured=None, on_host=False, collates=False)


@dataclass(frozen=True)
class KnownCode:
    """Functions and loops by their keys.

    ``rounds`` is what the rounds of loops are, with all that they call; ``holding_steps`` are the functions that have,
    or call one that has, a loop that trains or takes batches to train on, ``making_results`` the loops each round of
    which calls what makes one result by a loop of its own, and the functions that have them, ``inferring`` the loops
    each round of which calls what runs a model and learns nothing from it. ``making_one`` are the functions that make
    one result when they are called, by a loop of their own or by what they call, and such loops. ``training`` are the
    paths of the files in whose projects anything steps an optimizer, ``updating`` the guards of functions that let pass
    what is a step of training, by the functions.
    """

    functions: Mapping[str, FunctionFacts]
    loops: Mapping[str, LoopFacts]
    rounds: Mapping[str, Evidence]
    holding_steps: frozenset[str]
    making_results: frozenset[str] = frozenset()
    inferring: frozenset[str] = frozenset()
    making_one: frozenset[str] = frozenset()
    training: frozenset[str] = frozenset()
    updating: Mapping[str, frozenset[Guard]] = field(default_factory=dict)

    def is_said_of(self, functions: Mapping[str, FunctionFacts]) -> bool:
        """Whether the texts of functions say what is known of them; most of others may not be known at all."""
        known = ((self.functions.get(key), facts) for key, facts in functions.items())
        return all(_own_text(one) == _own_text(facts) for one, facts in known if one is not None)

    def enclosing(self, function: str | None) -> Iterator[str]:
        """A function and those around it, from the inside out."""
        while function is not None:
            yield function
            function = self.functions[function].parent

    def frequency_at(self, function: str, layers: Iterable[Layer], start: Frequency) -> Frequency:
        """The frequency of a place within a function, which runs as often as ``start`` says."""
        layers = tuple(layers)
        facts = self.functions[function]
        found = start
        if found.is_frame and found.runs is Phase.STEP and function in self.holding_steps:
            found = found._replace(runs=Phase.INTERVAL, reason="runs once for each frame, around many training steps")
        is_in_step = False
        passed: list[bool] = []  # of the loops around, whether their rounds are parts of a step
        around = [layer for layer in layers if isinstance(layer, str)]
        updating = {*self.updating.get(function, ())}
        for layer in layers:
            if isinstance(layer, Guard) and layer in updating:
                updating.discard(layer)  # what stands behind another one like it does so every few steps
                continue
            if isinstance(layer, Guard):
                is_passed = layer.counts and passed[layer.counts - 1]
                if is_passed:  # in one round alone of those that are parts of a step
                    counted = self.loops[around[layer.counts - 1]].repetition
                    found = found._replace(times=tuple(one for one in found.times if one != counted))
                elif not (layer.is_mode and _is_in_training(found, facts)):
                    found = guarded(found, layer)
            else:
                entered = self._entered(found, layer, facts, is_in_step or start.strength is Strength.SHOWN)
                is_in_step = is_in_step or entered.loop != found.loop
                passed.append(self._is_part_of_step(found, entered, layer, start))
                found = entered
        if start.is_awaited and not any(isinstance(layer, str) for layer in layers):
            found = found._replace(runs=Phase.ONCE, reason=f"runs once, before what `{facts.name}` yields")
        is_in_turn = any(self.loops[layer].is_in_turn for layer in around)
        if found.runs is Phase.STEP and not (is_in_step or is_in_turn) and start.strength is not Strength.SHOWN:
            makes_one = function in self.making_one
            if self._makes_steps_itself(function):
                reason = "runs once, before or after the main loop of the function"
                found = found._replace(runs=Phase.ONCE, reason=reason, is_entry=False, makes_results=makes_one)
            elif makes_one:
                reason = "runs once for each result, beside what makes it"
                found = found._replace(runs=Phase.ONCE, reason=reason, is_entry=False, makes_results=True)
        is_measured = facts.is_clocked and not is_in_step and found.strength < Strength.SHOWN
        if is_measured and found.runs in (Phase.STEP, Phase.ONCE):
            found = found._replace(runs=Phase.BENCHMARK, reason=_CLOCKED.format(facts.name))
        return found

    def _is_part_of_step(self, found: Frequency, entered: Frequency, loop: str, start: Frequency) -> bool:
        """Whether the rounds of a loop are parts of a step: that they are few, or the step is known to be around it."""
        if found.runs is not Phase.STEP or entered.runs is not Phase.STEP or entered.loop != found.loop:
            return False
        return found is not start or start.strength is Strength.SHOWN or self.rounds[loop] in _WITHIN_STEPS

    def _makes_steps_itself(self, function: str) -> bool:
        facts = self.functions[function]
        if facts.hot is not None:
            return facts.holds_steps
        return function in self.holding_steps or facts.holds_actions or self._runs_in_turn(facts)

    @staticmethod
    def _runs_in_turn(facts: FunctionFacts) -> bool:
        """Whether a function is there for what a loop in it makes, round by round, and not a part of a step."""
        return facts.runs_in_turn and facts.is_quiet

    @staticmethod
    def _is_beside_training(found: Frequency) -> bool:
        """Whether something runs once in a program that trains elsewhere."""
        return found.strength is Strength.SHOWN and not found.is_entry and bool(found.path)

    @staticmethod
    def _tests_a_model(found: Frequency, facts: FunctionFacts) -> bool:
        """Whether a function that runs once is given a model in evaluation mode, in a program that trains as well."""
        is_given = found.infers and found.runs is Phase.ONCE and bool(found.path)
        return is_given and not (found.is_entry or found.is_alone or facts.is_named_inference)

    def _kind_of(self, key: str, found: Frequency, facts: FunctionFacts) -> Evidence:
        """What the rounds of a loop are where it is entered.

        A loader that is called one for validation goes by its name in a program that makes a result of each batch, and
        so does one of which each batch goes through a loop that makes one, where no other program tests by it.
        """
        kind, loop = self.rounds[key], self.loops[key]
        if kind is Evidence.RESULTS and loop.evidence is Evidence.VALIDATION and not found.is_entry:
            return Evidence.VALIDATION
        is_assumed = found.runs is Phase.STEP and found.strength is Strength.ASSUMED
        is_there_for_results = found.is_entry or found.is_apart or found.makes_results or is_assumed
        makes_results = loop.holds_turns or (loop.evidence is Evidence.BATCHES and key in self.making_results)
        return Evidence.RESULTS if makes_results and facts.is_quiet and is_there_for_results else kind

    def _entered(self, found: Frequency, key: str, facts: FunctionFacts, is_shown: bool) -> Frequency:
        """The frequency within a loop."""
        loop_facts = self.loops[key]
        kind = self._kind_of(key, found, facts)
        loop = loop_facts.repetition
        where = place_in_words(loop.path, loop.line)
        if kind in (Evidence.OPTIMIZER, Evidence.BACKWARD, Evidence.BATCHES):
            if found.runs in ASIDE or (found.runs is Phase.EVAL and kind is not Evidence.OPTIMIZER):
                return found
            if found.runs is Phase.STEP and is_shown:
                return _in_rounds(found, loop_facts)
            if found.runs is Phase.INTERVAL and not found.is_frame:
                return found
            if kind is Evidence.BACKWARD and facts.is_clocked:
                return found._replace(runs=Phase.BENCHMARK, reason=_CLOCKED.format(facts.name))
            evaluates = facts.evaluates and not facts.is_named_inference
            if kind is not Evidence.OPTIMIZER and self._tests_a_model(found, facts):
                reason = f"in the loop over batches at {where}, before which the model is put into evaluation mode"
                return found._replace(runs=Phase.EVAL, strength=Strength.SHOWN, reason=reason, is_entry=False)
            if kind is Evidence.BATCHES and evaluates:
                reason = f"in the loop over batches at {where}, which trains nothing"
                return found._replace(runs=Phase.EVAL, strength=Strength.SHOWN, reason=reason, is_entry=False)
            reason = f"{_TRAINING_LOOP[kind]} at {where}"
            return stepping(found, reason, kind.value, facts.infers or found.infers)
        if kind is Evidence.VALIDATION:
            if found.runs in ASIDE or found.runs is Phase.EVAL:
                return found
            is_named = loop_facts.evidence is Evidence.VALIDATION
            reason = f"in the loop over {'validation ' if is_named else ''}batches at {where}"
            reason = reason if is_named else f"{reason}, which trains nothing"
            return found._replace(runs=Phase.EVAL, strength=Strength.SHOWN, reason=reason, is_entry=False)
        if loop_facts.is_retry and loop_facts.is_open:  # whatever it tries is done once
            return found
        if kind is Evidence.REQUESTS and found.runs not in ASIDE:
            reason = f"runs once for each request, in the loop at {where}"
            return found._replace(
                runs=Phase.ONCE, strength=Strength.SHOWN, reason=reason, times=(), trains=False, infers=False, loop=""
            )
        if kind is Evidence.ENVIRONMENT and found.runs is Phase.ONCE and self._is_beside_training(found):
            reason = f"in the loop over the steps of an environment at {where}, from which nothing learns"
            return found._replace(runs=Phase.EVAL, reason=reason)
        if kind is Evidence.FRAMES and (
            found.runs in (Phase.ONCE, Phase.EPOCH) or (found.runs is Phase.STEP and not is_shown)
        ):
            return stepping(found, f"in the loop over the frames of a window at {where}", kind.value, infers=True)
        if kind is Evidence.ENVIRONMENT and (
            found.runs in (Phase.ONCE, Phase.EPOCH) or (found.runs is Phase.STEP and not is_shown)
        ):
            reason = f"in the loop over the steps of an environment at {where}"
            return stepping(found, reason, kind.value, facts.infers or found.infers)
        is_around = found.runs is Phase.ONCE or (found.runs is Phase.STEP and not is_shown)
        if kind is Evidence.EPOCHS:
            reason = "runs once per epoch, around the loop over batches"
            shown = found._replace(runs=Phase.EPOCH, strength=Strength.SHOWN, reason=reason, times=())
            return shown if is_around else _in_rounds(found, loop_facts)
        if kind is Evidence.RESULTS:
            if is_around or (found.is_entry and found.runs is Phase.EPOCH):
                reason = "runs once for each result, around the loop that makes it"
                makes = found.is_entry or found.is_apart or found.runs is Phase.STEP
                shown = found._replace(runs=Phase.EPOCH, strength=Strength.SHOWN, reason=reason, times=())
                infers = found.infers or loop_facts.is_asked  # what answers somebody learns nothing
                return shown._replace(is_entry=False, makes_results=makes, infers=infers)
            return _in_rounds(found, loop_facts)
        if kind is Evidence.ROLLOUTS and (found.runs is Phase.ONCE or (found.runs is Phase.STEP and not is_shown)):
            reason = "runs once for each time that is played, around the loop over the steps of an environment"
            return found._replace(runs=Phase.EPOCH, strength=Strength.SHOWN, reason=reason, times=(), only_plays=True)
        if loop_facts.is_retry:
            return found
        if found.is_awaited and found.runs is Phase.STEP:
            reason = f"in the loop at {where}, once for each item that `{facts.name}` yields"
            infers = (facts.infers or found.infers) and not found.trains
            made_by = Evidence.OPTIMIZER.value if found.trains else _made_by(loop_facts)
            return found._replace(reason=reason, is_awaited=False, times=(), loop=made_by, infers=infers)
        is_there_for_it = self._runs_in_turn(facts) or key in self.making_one
        is_offered = found.strength is Strength.ASSUMED or (found.strength is Strength.NAMED and facts.is_free)
        if found.runs is Phase.STEP and is_offered and is_there_for_it:
            if loop_facts.is_in_turn:
                reason = f"in the loop at {where}, each round of which runs a model on what the last one has made"
                return stepping(found, reason, _made_by(loop_facts), infers=True)
        is_innermost = loop_facts.is_in_turn and key not in self.making_results
        makes_one = found.runs in (Phase.ONCE, Phase.EPOCH) and found.makes_results
        makes_one = makes_one or (found.is_apart and found.runs is Phase.ONCE)
        if makes_one and is_innermost:
            reason = f"in the loop at {where}, each round of which runs a model on what the last one has made"
            return stepping(found, reason, _made_by(loop_facts), infers=True)
        if found.runs in (Phase.ONCE, Phase.EPOCH) and found.is_entry and kind is Evidence.NONE:
            reason = f"in the loop at {where}, which is the program's work"
            made_by = _made_by(loop_facts) if is_innermost else WORK
            return stepping(found, reason, made_by, facts.infers or found.infers or key in self.inferring)
        if loop_facts.is_open and found.runs is Phase.STEP and found.strength is Strength.ASSUMED:
            return found._replace(times=())  # what goes on until something ends it makes the steps that are assumed
        return _in_rounds(found, loop_facts)


def _made_by(loop: LoopFacts) -> str:
    """What makes a step that is none of training: a loop that is given nothing by round, or the work of a program."""
    return TURNS if loop.is_in_turn and loop.is_counted else WORK


def _in_rounds(found: Frequency, loop: LoopFacts) -> Frequency:
    """How often something runs in the rounds of a loop: those of one that yields are the rounds of whoever goes on."""
    return found if loop.yields else repeated(found, loop.repetition)
