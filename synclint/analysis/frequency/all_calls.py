"""The calls of each function, those on unknown objects included that may mean a method by its name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from synclint.analysis.frequency.circles import in_turn
from synclint.analysis.models.method_names import may_be_meant
from synclint.analysis.results.facts import Call, FunctionFacts
from synclint.analysis.results.observations import Observations
from synclint.analysis.results.signatures import Asked


def namesakes_in(functions: Mapping[str, FunctionFacts]) -> dict[str, list[str]]:
    """The methods of a project by their names."""
    namesakes: dict[str, list[str]] = defaultdict(list)
    for key, facts in functions.items():
        if facts.is_method:
            namesakes[facts.name].append(key)
    return namesakes


def meant_by(asked: Asked, namesakes: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The methods that a call on an unknown object may be one of, by its name.

    `step_all` is called so for a reason, while `predict` and `run` are many things: of a name of one word they are
    meant if no library is known to have a method of it, or if the same object is asked for a method of the project.
    """
    is_meant = may_be_meant(asked.name) or any(name in namesakes for name in asked.beside)
    return namesakes.get(asked.name, ()) if is_meant else ()


def calls_by_name(observed: Observations, namesakes: Mapping[str, Sequence[str]]) -> dict[str, tuple[Call, ...]]:
    """The calls that name a method in a text, by the methods that they may mean."""
    found: dict[str, tuple[Call, ...]] = {}
    for asked, sites in observed.unresolved.items():
        calls = tuple(call for call in sites if call.is_certain)
        found.update({key: (*found.get(key, ()), *calls) for key in meant_by(asked, namesakes) if calls})
    return found


def all_calls(
    observed: Observations,
    namesakes: Mapping[str, Sequence[str]],
    named: Mapping[str, tuple[Call, ...]],
    known_namesakes: Collection[str],
) -> dict[str, tuple[Call, ...]]:
    """The calls of each function: those that were resolved, and those that name it in a text.

    Where there are none, those of methods with its name on unknown objects that give it what it takes: where that may
    be several, which do not stand in for one another in subclasses, it is a guess that it is this one. Of some, where
    nothing waits, no more is known than that their name is among the ``known_namesakes``.
    """
    calls = {**observed.calls, **{key: (*observed.calls.get(key, ()), *sites) for key, sites in named.items()}}
    meant: dict[str, list[Call]] = defaultdict(list)
    for asked, sites in observed.unresolved.items():
        fitting = [key for key in meant_by(asked, namesakes) if _takes(observed.functions[key], asked)]
        is_guess = asked.name in known_namesakes or len({_first_of(key, observed.functions) for key in fitting}) > 1
        for key in fitting:
            meant[key] += [site._replace(is_certain=True, is_guess=is_guess) for site in sites]
    for key, likely in meant.items():
        if not any(call.is_certain for call in calls.get(key, ())):
            calls[key] = (*calls.get(key, ()), *likely)
    wrapped = {key: calls.get(key, ()) for key, facts in observed.functions.items() if facts.wrapped_in}
    for key, sites in wrapped.items():
        for wrapper in observed.functions[key].wrapped_in:
            if wrapper in observed.functions:
                calls[wrapper] = tuple(dict.fromkeys((*calls.get(wrapper, ()), *sites)))
    return calls


def _takes(method: FunctionFacts, asked: Asked) -> bool:
    """Whether a method takes what a call gives."""
    return method.takes is None or method.takes.fits(asked)


def _first_of(method: str, functions: Mapping[str, FunctionFacts]) -> str:
    """The method of a base for which a method stands, through however many classes."""
    while (overridden := functions[method].overrides) is not None and overridden in functions:
        method = overridden
    return method


def but_for_circles(calls: dict[str, tuple[Call, ...]]) -> dict[str, tuple[Call, ...]]:
    """Calls without those of functions that are handed on by what they call themselves.

    A program that hands itself on in the middle of what it does (``keep_arguments(main)``) is not run there once more.
    """
    certain: dict[str, set[str]] = defaultdict(set)
    followers: dict[str, set[str]] = defaultdict(set)
    for callee, sites in calls.items():
        for call in sites:
            followers[call.caller].add(callee)
            if call.is_certain:
                certain[call.caller].add(callee)
    groups = in_turn(sorted({*calls, *followers}), followers)
    group_of = {key: index for index, group in enumerate(groups) for key in group}
    left = dict(calls)
    for callee, sites in calls.items():
        asked = {call.caller for call in sites if not call.is_certain and group_of[call.caller] == group_of[callee]}
        if asked and (circular := asked & _reached_from(callee, certain)):
            left[callee] = tuple(call for call in sites if call.is_certain or call.caller not in circular)
    return left


def _reached_from(start: str, followers: Mapping[str, set[str]]) -> set[str]:
    """A function, and what it calls, through however many others."""
    found, waiting = {start}, [start]
    while waiting:
        new = followers.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found
