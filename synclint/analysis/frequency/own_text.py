"""What the text of a function says of how often it runs, beside what its calls give it."""

from __future__ import annotations

from synclint.analysis.frequency.frequencies import ASIDE, Frequency, Strength
from synclint.analysis.results.facts import Evidence, FunctionFacts
from synclint.findings import Context, Phase


def evaluation(facts: FunctionFacts, given: Frequency | None, *, makes_results: bool) -> Frequency | None:
    """The frequency of a function that evaluates, by its text, unless its calls say otherwise.

    ``makes_results`` tells that what it calls in a loop makes one result by a loop of its own.
    """
    if facts.is_entry or facts.is_named_inference or (given is not None and given.runs in ASIDE):
        return None
    if facts.evaluates and not _makes_results(facts, given, makes_results):
        reason = f"`{facts.name}` evaluates: it iterates over batches and trains nothing"
    elif facts.tests and given is not None and given.runs is Phase.STEP and given.trains and not given.is_exchange:
        reason = f"`{facts.name}` evaluates: it leaves the model that is trained in evaluation mode"
    else:
        return None
    return Frequency(Phase.EVAL, Strength.SHOWN, reason, path=given.path if given is not None else ())


def _makes_results(facts: FunctionFacts, given: Frequency | None, by_calls: bool) -> bool:
    """Whether a function is there for what a loop in it makes of each batch, and no program is known to test by it."""
    makes_results = facts.runs_in_turn or by_calls
    return makes_results and facts.is_quiet and (given is None or given.is_entry or given.makes_results)


def called(facts: FunctionFacts, given: Frequency, *, makes_results: bool) -> Frequency:
    """The frequency of a function to which its calls give one.

    ``makes_results`` tells that what it calls in a loop makes one result by a loop of its own.
    """
    found = evaluation(facts, given, makes_results=makes_results)
    return with_roles(facts, found or _named(facts, given), given)


def tried(facts: FunctionFacts, given: Frequency, *, makes_results: bool) -> Frequency:
    """The frequency of a function under some of its calls, where others are known to make the steps of its name."""
    found = evaluation(facts, given, makes_results=makes_results)
    return with_roles(facts, found or given, given)


def _named(facts: FunctionFacts, given: Frequency) -> Frequency:
    """The frequency that calls give a function, unless they say nothing certain and its name does.

    Of what is called seldom, its name may also say what it does so seldom.
    """
    if given.runs is Phase.UNREACHED:
        return given
    said = facts.named or (facts.saves if given.strength is Strength.ASSUMED and facts.hot is None else None)
    # Whether somebody asks for what is off by default, nobody knows.
    is_certain = given.strength is not Strength.ASSUMED and not given.option
    if said is not None and (not is_certain or _says_more(said, facts, given)):
        return given._replace(runs=said.runs, strength=Strength.NAMED, reason=said.reason, is_entry=False, loop="")
    # Objects of any kind are called: what is seen to call one says more than that.
    is_by_calls = facts.is_hot_by_name and (is_certain or facts.name == "__call__")
    if facts.hot is not None and not is_by_calls:
        if given.runs is Phase.STEP:
            strength = max(given.strength, Strength.NAMED)
            reason = facts.hot if given.strength is not Strength.SHOWN else given.reason
            return given._replace(reason=reason, strength=strength)
        if facts.is_always_hot or given.strength is not Strength.SHOWN or given.runs is Phase.ONCE:
            return Frequency(Phase.STEP, Strength.NAMED, facts.hot, captured=given.captured)
    return given


def _says_more(said: Context, facts: FunctionFacts, given: Frequency) -> bool:
    if facts.is_entry or facts.steps in (Evidence.OPTIMIZER, Evidence.BACKWARD):
        return False
    if given.is_alone and given.is_entry and said.runs is Phase.EVAL:
        return False  # where nothing trains, an evaluation is what the program is there for
    return given.runs is Phase.ONCE or (given.runs in (Phase.EPOCH, Phase.EVAL) and said.runs is Phase.EVAL)


def with_roles(facts: FunctionFacts, found: Frequency, given: Frequency | None) -> Frequency:
    """A frequency with what the text of its function says of training, inference and capture."""
    if facts.captured is not None:
        found = found._replace(captured=facts.captured)
    if facts.hot is not None or facts.is_quiet:
        found = found._replace(has_model=True)
    # A step that calls it says more of what it is a part of, and a name alone says too little.
    is_shown = (facts.is_quiet or not facts.is_named_inference) if given is None else given.runs is not Phase.STEP
    if facts.infers and not found.trains and is_shown:
        found = found._replace(infers=True)
    if found.runs is Phase.STEP and not (found.trains or found.infers):
        found = found._replace(trains=facts.is_named_training, may_train=facts.is_loss or found.may_train)
    return found
