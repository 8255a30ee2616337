"""What is known of a project with functions in which nothing was seen before, and which nobody calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from synclint.analysis.frequency.calls_meant import Meant
from synclint.analysis.frequency.contexts import KnownContexts
from synclint.analysis.frequency.frequencies import Frequency, Strength
from synclint.analysis.frequency.known_frequencies import KnownFrequencies, path_of
from synclint.analysis.frequency.propagation import Propagation
from synclint.analysis.program.entry_points import Reach
from synclint.analysis.results.facts import FunctionFacts, LoopFacts
from synclint.analysis.results.observations import Observations

# What is known of the file at a path, by itself.
KnownElsewhere: TypeAlias = Callable[[str], KnownContexts | None]


def with_uncalled(
    known: KnownContexts,
    functions: Mapping[str, FunctionFacts],
    new: Mapping[str, FunctionFacts],
    loops: Mapping[str, LoopFacts],
    elsewhere: KnownElsewhere,
) -> KnownContexts | None:
    """What is known of a file, with ``new`` functions in it that nobody calls, and with the loops in them.

    ``functions`` are these and those that they override. None where calls of others tell of the new ones.
    """
    for facts in new.values():
        if facts.parent is not None or facts.wrapped_in or _is_called_elsewhere(facts.overrides, functions, elsewhere):
            return None
    alone = {key: replace(facts, overrides=None, constructor=None) for key, facts in new.items()}
    found = Propagation(Observations(functions=alone, loops=loops), Meant(alone, Reach())).known(())
    frequencies = {key: _with_layers(frequency, new[key], elsewhere) for key, frequency in found.frequencies.items()}
    code = known.frequencies.code
    return replace(
        known,
        frequencies=KnownFrequencies(
            replace(
                code,
                functions={**code.functions, **new},
                loops={**code.loops, **loops},
                rounds={**code.rounds, **found.code.rounds},
                holding_steps=code.holding_steps | found.code.holding_steps,
            ),
            {**known.frequencies.frequencies, **frequencies},
            known.frequencies.given,
            known.frequencies.where_set,
            known.frequencies.made_in_loops,
            known.frequencies.made_for,
            known.frequencies.unrun,
            known.frequencies.unfollowed,
            known.frequencies.callers,
        ),
        on_host=known.on_host | {key for key, facts in new.items() if facts.on_host},
    )


def _is_called_elsewhere(
    overridden: str | None, functions: Mapping[str, FunctionFacts], elsewhere: KnownElsewhere
) -> bool:
    """Whether calls tell of what a method overrides."""
    while overridden is not None:
        there = elsewhere(path_of(overridden))
        if there is not None and overridden in there.frequencies.code.functions:
            return overridden in there.frequencies.given
        overridden = functions[overridden].overrides
    return False


def _with_layers(found: Frequency, facts: FunctionFacts, elsewhere: KnownElsewhere) -> Frequency:
    """How often a method runs that models call of each layer, made in a loop, if that is what its name says of it."""
    if facts.name != "forward" or facts.constructor is None or found.strength is not Strength.NAMED:
        return found
    there = elsewhere(path_of(facts.constructor))
    loop = None if there is None else there.frequencies.made_in_loops.get(facts.constructor)
    return found if loop is None or found.reason != facts.hot else found._replace(times=(loop._replace(each="layer"),))
