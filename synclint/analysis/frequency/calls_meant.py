"""Which functions calls mean: those that were resolved, and those that only a name tells, in a text or on an object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from synclint.analysis.frequency.circles import in_turn
from synclint.analysis.frequency.known_frequencies import path_of
from synclint.analysis.models.method_names import may_be_meant, may_be_the_only_one
from synclint.analysis.program.entry_points import Reach
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


class MeantCalls(NamedTuple):
    """Calls that may mean each of these methods; ``is_guess`` if nothing tells which of several unrelated classes."""

    methods: tuple[str, ...]
    calls: list[Call]
    is_guess: bool


class Meant:
    """Which methods of its project a call on an unknown object may be one of, by what it asks for, and of what."""

    def __init__(self, functions: Mapping[str, FunctionFacts], reach: Reach) -> None:
        self._functions = functions
        self._reach = reach
        by_project: dict[int | None, dict[str, FunctionFacts]] = defaultdict(dict)
        for key, facts in functions.items():
            by_project[self._project_of(key)][key] = facts
        self._namesakes = {project: namesakes_in(own) for project, own in by_project.items()}
        self._known: dict[tuple[Asked, int | None], tuple[str, ...]] = {}

    def calls(self, unresolved: Mapping[Asked, tuple[Call, ...]]) -> Iterator[MeantCalls]:
        """The calls that may mean a method, with those that they may mean: those of each project by themselves."""
        for asked, sites in unresolved.items():
            by_project: dict[int | None, list[Call]] = defaultdict(list)
            for call in sites:
                by_project[self._project_of(call.caller)].append(call)
            for calls in by_project.values():
                path = path_of(calls[0].caller)
                if methods := self.methods(asked, path):
                    is_guess = self._reach.answers_at(path).may_mean_several(asked.name, asked.beside)
                    yield MeantCalls(methods, calls, is_guess)

    def methods(self, asked: Asked, path: str) -> tuple[str, ...]:
        """The methods that a call in the file at a resolved path may be one of.

        They take what it gives, in classes that have what else is asked for. `step_all` is called so for a reason,
        while `predict` and `run` are many things: of a name of one word they are meant if no library is known to have a
        method of it, or if the same object is asked for a method of the project.
        """
        project = self._reach.projects.get(path)
        if (asked, project) not in self._known:
            named = self._namesakes.get(project, {})
            is_telling = may_be_meant(asked.name)
            told = [name for name in asked.telling if name in named]
            namesakes = named.get(asked.name, ()) if is_telling or told else ()
            self._known[asked, project] = tuple(
                key
                for key in namesakes
                if self._may_be(key, asked) and (is_telling or any(self._may_have(key, (name,)) for name in told))
            )
        return self._known[asked, project]

    def only_one(self, asked: Asked, path: str) -> str | None:
        """The only method of its name in a project, if a call in the file at a path fits it; None where it means none.

        `sample` is many things; but `memory.sample(64)` is that of the project's memory, if nothing else calls that.
        """
        named = self._namesakes.get(self._reach.projects.get(path), {}).get(asked.name, [])
        if len(named) != 1 or not may_be_the_only_one(asked.name) or self._functions[named[0]].takes is None:
            return None
        if self._reach.answers_at(path).may_mean_several(asked.name, asked.beside):
            return None
        return named[0] if self._may_be(named[0], asked) else None

    def _may_be(self, key: str, asked: Asked) -> bool:
        facts = self._functions[key]
        if facts.takes is not None and not facts.takes.fits(asked):
            return False
        return self._may_have(key, asked.beside)

    def _may_have(self, key: str, names: Collection[str]) -> bool:
        path = path_of(key)
        return self._reach.answers_at(path).may_have(path, self._functions[key].scope, names)

    def _project_of(self, function: str) -> int | None:
        return self._reach.projects.get(path_of(function))


def calls_by_name(observed: Observations, meant: Meant) -> dict[str, tuple[Call, ...]]:
    """The calls that name a method in a text, by the methods that they may mean."""
    found: dict[str, tuple[Call, ...]] = {}
    for methods, calls, _ in meant.calls(observed.unresolved):
        certain = tuple(call for call in calls if call.is_certain)
        found.update({key: (*found.get(key, ()), *certain) for key in methods if certain})
    return found


def all_calls(
    observed: Observations, meant: Meant, named: Mapping[str, tuple[Call, ...]]
) -> dict[str, tuple[Call, ...]]:
    """The calls of each function: those that were resolved, and those that name it in a text.

    Where there are none, those of methods with its name on unknown objects that may mean it. Those by which functions
    only hand themselves on are left out.
    """
    calls = {**observed.calls, **{key: (*observed.calls.get(key, ()), *sites) for key, sites in named.items()}}
    likely: dict[str, list[Call]] = defaultdict(list)
    for methods, made, is_guess in meant.calls(observed.unresolved):
        for key in methods:
            likely[key] += [call._replace(is_certain=True, is_guess=is_guess) for call in made]
    for key, more in likely.items():
        if not any(call.is_certain for call in calls.get(key, ())):
            calls[key] = (*calls.get(key, ()), *more)
    wrapped = {key: calls.get(key, ()) for key, facts in observed.functions.items() if facts.wrapped_in}
    for key, sites in wrapped.items():
        for wrapper in observed.functions[key].wrapped_in:
            if wrapper in observed.functions:
                calls[wrapper] = tuple(dict.fromkeys((*calls.get(wrapper, ()), *sites)))
    return _but_for_circles(calls)


def with_only_ones(
    observed: Observations, meant: Meant, calls: Mapping[str, tuple[Call, ...]], unreached: frozenset[str]
) -> dict[str, tuple[Call, ...]]:
    """The same, with the calls on unknown objects that may mean a method that nothing else calls, the only of its name.

    None of them is certain: where one makes no step, another thing is meant as a rule. To what is ``unreached``,
    nothing leads but its name.
    """
    found: dict[str, list[Call]] = defaultdict(list)
    for asked, sites in observed.unresolved.items():
        for call in sites:
            method = meant.only_one(asked, path_of(call.caller))
            if method is not None and method not in calls and method not in unreached:
                found[method].append(call._replace(is_guess=True))
    return {**calls, **{key: tuple(sites) for key, sites in found.items()}}


def _but_for_circles(calls: dict[str, tuple[Call, ...]]) -> dict[str, tuple[Call, ...]]:
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
