"""How often functions run, once that has been found for all of them together, and what tells of the places in them.

Who asks about the events in one file asks for what is known of its own functions and loops, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from synclint.analysis.frequency.frequencies import Frequency, Strength
from synclint.analysis.frequency.known_code import KnownCode
from synclint.analysis.frequency.own_text import called, tried
from synclint.analysis.results.facts import Guard, Layer
from synclint.findings import CallPlace, Phase, Repetition

# A function, by its key, and a flag of it that is off by default.
Flag: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class KnownFrequencies:
    """The ``frequencies`` of functions by their keys.

    ``given`` is what each call that tells of a function gives it, the greatest first; ``where_set`` is how often a
    function runs with a flag set, None where no call is seen to set it. ``made_in_loops`` are the loops in which models
    make objects, by the constructors of these. ``made_for`` are the options without which nobody makes an
    object, by the constructors of these. ``unrun`` are the calls of functions, beside others, that stand in code
    that nothing runs, ``unfollowed`` those that ask something unknown for methods of their names. ``callers`` is how
    many functions are known to call one.
    """

    code: KnownCode
    frequencies: Mapping[str, Frequency]
    given: Mapping[str, tuple[tuple[CallPlace, Frequency], ...]]
    where_set: Mapping[Flag, Frequency | None]
    made_in_loops: Mapping[str, Repetition]
    made_for: Mapping[str, str]
    unrun: Mapping[str, tuple[CallPlace, ...]]
    unfollowed: Mapping[str, tuple[CallPlace, ...]]
    callers: Mapping[str, int]

    def at(self, function: str, layers: Iterable[Layer], under: Frequency | None = None) -> Frequency:
        """The frequency of a place within a function, that of the function being ``under`` if some calls count only."""
        return self.code.frequency_at(function, layers, under or self.frequencies[function])

    def option_of_object(self, function: str) -> str:
        """The option without which there is no object of the class of a method, where its constructor stands by it."""
        constructor = self.code.functions[function].constructor
        if constructor is None or path_of(constructor) != path_of(function):
            return ""
        return self.made_for.get(constructor, "")

    def is_unrun(self, function: str, places: Collection[CallPlace]) -> bool:
        """Whether what calls a function at some places is run by nothing, while something runs what else calls it."""
        return bool(places) and set(self.unrun.get(function, ())).issuperset(places)

    def under_calls(
        self, function: str, places: Collection[CallPlace], *, is_by_text: bool = False
    ) -> Frequency | None:
        """The frequency of a function under its calls at some places; None where they say nothing more of it.

        What waits by the function's own text as well may wait under those that could not be followed. A call that is
        no step makes none because of the function's name where others are seen that are steps.
        """
        facts = self.code.functions[function]
        if places and is_by_text:
            places = {*places, *self.unfollowed.get(function, ())}
        given = self.given.get(function, ())
        best = next((found for place, found in given if place in places), None)
        if best is None or facts.configured is not None or facts.fixed is not None:
            return None
        others = (found for place, found in given if place not in places)
        has_steps = any(found.runs is Phase.STEP and found.strength is Strength.SHOWN for found in others)
        told = tried if has_steps else called
        return told(facts, best, makes_results=function in self.code.making_results)


def path_of(key: str) -> str:
    """The path of the file that a function or loop stands in, by its key: of a module, that has no line."""
    path, _, column = key.rpartition(":")
    return path.rpartition(":")[0] if column else path


def flag_behind(function: str, layers: Iterable[Layer]) -> Flag | None:
    """The flag of its function that has to be set for a place to be reached."""
    for layer in layers:
        if isinstance(layer, Guard) and layer.option and layer.need is not None:
            asked = (function, layer.option.partition("=")[0], True)
            if layer.need == asked:
                return function, layer.option
    return None


def left_out_before(function: str, layers: Iterable[Layer]) -> str | None:
    """What stands for a parameter, among the flags of calls, that has to be left out for a place to be reached."""
    needs = (layer.need for layer in layers if isinstance(layer, Guard) and layer.need is not None)
    return next((f"{need.parameter}=None" for need in needs if need.function == function and not need.given), None)


def without(flag: Flag, layer: Layer) -> Layer:
    """What stands around a place, where a flag is known to be set."""
    return layer._replace(option="") if isinstance(layer, Guard) and layer.option == flag[1] else layer
