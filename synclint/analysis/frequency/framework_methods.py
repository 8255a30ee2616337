"""What frameworks call of the classes that derive from theirs, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from synclint.analysis.frequency.names import Named
from synclint.catalog.names import facts_of
from synclint.findings import Phase

_HOW_OFTEN = {
    Phase.ONCE: "once", Phase.EPOCH: "once per epoch", Phase.INTERVAL: "at intervals", Phase.EVAL: "in evaluation",
    Phase.STEP: "in each step",
}  # fmt: skip


def phases_in_frameworks(method: str) -> Mapping[str, Phase]:
    """How often each framework calls a method of this name, by the package that is imported for it."""
    return _by_method().get(method, {})


def called_by_framework(method: str, classes: Iterable[str]) -> Named | None:
    """How often a method is called by the framework of its class, or of a base of that, by their qualified names."""
    phases = phases_in_frameworks(method)
    for name in classes:
        framework = name.partition(".")[0]
        if (runs := phases.get(framework)) is not None:
            return Named(runs, f"`{method}` runs {_HOW_OFTEN[runs]}, called by {framework}")
    return None


@cache
def _by_method() -> dict[str, dict[str, Phase]]:
    """The catalogue's table, turned round."""
    found: dict[str, dict[str, Phase]] = {}
    for framework, phases in facts_of("called", "frameworks").items():
        for phase, methods in phases.items():
            for method in methods:
                found.setdefault(method, {})[framework] = Phase(phase)
    return found
