"""Options without which there are no objects of a class: what their methods call runs only where these are set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from synclint.analysis.frequency.known_frequencies import path_of
from synclint.analysis.results.facts import Call, FunctionFacts, Guard


class OptionsOfObjects:
    """The options of functions by their keys, from the ``functions`` and the calls that are certain to mean one."""

    def __init__(self, functions: Mapping[str, FunctionFacts], calls: Callable[[str], Iterable[Call]]) -> None:
        self._functions = functions
        self._calls = calls
        self._known: dict[str, str] = {}

    def __call__(self, method: str) -> str:
        """The option behind which all calls stand that make an object of the class of a method; empty without one.

        Where the constructor stands in another file, as that of a base does, it tells of other classes as well.
        """
        constructor = self._functions[method].constructor
        if constructor is None or constructor == method or path_of(constructor) != path_of(method):
            return ""
        if constructor not in self._known:
            asked = [_option_behind(call) for call in self._calls(constructor)]
            self._known[constructor] = min(asked) if asked and all(asked) else ""
        return self._known[constructor]


def _option_behind(call: Call) -> str:
    return next((layer.option for layer in call.layers if isinstance(layer, Guard) and layer.option), "")
