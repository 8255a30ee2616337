"""The figures of a run that count, and the bounds that they are held against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.measurement import MEASURED_PHASES, HookRound, Large, LinterCost, Measurement, Round

_MILLION = 1_000_000


@dataclass(frozen=True)
class Bound:
    """What a figure shall be: at least or at most ``limit``; ``stretch`` is what would be better still."""

    limit: float
    at_least: bool = False
    stretch: float | None = None

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.limit:g}" + ("" if self.stretch is None else f", better {sign} {self.stretch:g}")

    def is_met(self, value: float) -> bool:
        """Whether a figure is within ``limit``."""
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True)
class Figure:
    """A number and its bound, if it has one. What has no ``unit`` is a ratio within the run."""

    name: str
    value: float
    unit: str = ""
    bound: Bound | None = None


@dataclass(frozen=True)
class _Ratio:
    """A ratio within a round; its bounds differ with what the corpus is made of."""

    name: str
    of: Callable[[Round], float]
    for_torch: Bound | None = None
    in_general: Bound | None = None


_RATIOS = (
    _Ratio(
        "total / libcst.parse_module",
        lambda one: one.one_process.cpu / one.libcst,
        for_torch=Bound(1.5, stretch=1.25),
    ),
    _Ratio(
        "libcst.parse_module / total",
        lambda one: one.libcst / one.one_process.cpu,
        in_general=Bound(5, at_least=True),
    ),
    _Ratio("total / ast.parse", lambda one: one.one_process.cpu / one.ast),
    _Ratio(
        "one process / two processes",
        lambda one: one.one_process.wall / one.two_processes.wall,
        for_torch=Bound(1.8, at_least=True),
    ),
    _Ratio(
        "two checks one after the other / at once: what the machine has for two processes",
        lambda one: 2 * one.one_process.wall / one.two_checks_at_once,
    ),
    _Ratio("first run / unchanged files", lambda one: one.one_process.wall / one.unchanged.wall),
)
_COMPARED = {"torchfix": Bound(15, at_least=True)}
# What gives both the same means.
_BOUNDED = ("one process each", "every core each")


def ratios(measurement: Measurement) -> list[Figure]:
    """What can be held against other machines and other days, each the median of the rounds."""
    found = []
    for ratio in _RATIOS:
        bound = ratio.in_general if measurement.corpus.is_general else ratio.for_torch
        found.append(Figure(ratio.name, measurement.typical(ratio.of), bound=bound))
    return found


def compared(measurement: Measurement) -> dict[str, dict[str, float]]:
    """How many times as long as synclint the other linters take, by wall clock.

    Each in one process, each on every core, and the other on every core while synclint has one process.
    """
    of: dict[str, Callable[[Round, LinterCost], float]] = {
        "one process each": lambda one, other: other.one_process.wall / one.one_process.wall,
        "every core each": lambda one, other: other.every_core.wall / one.every_core.wall,
        "every core against one process": lambda one, other: other.every_core.wall / one.one_process.wall,
    }
    return {
        name: {what: median(ratio(one, one.others[name]) for one in measurement.rounds) for what, ratio in of.items()}
        for name in measurement.rounds[0].others
    }


def phase_ratios(measurement: Measurement) -> dict[str, float]:
    """Each phase as a multiple of ``libcst.parse_module`` over the same files."""
    return {phase: median(one.phases[phase] / one.libcst for one in measurement.rounds) for phase in MEASURED_PHASES}


def figures(measurement: Measurement) -> list[Figure]:
    """Everything about a corpus that counts."""
    others = compared(measurement)
    return [
        *ratios(measurement),
        *(
            Figure(f"{name} / synclint, {what}", ratio, bound=_of_linter(name) if what in _BOUNDED else None)
            for name, by_what in others.items()
            for what, ratio in by_what.items()
        ),
        Figure(
            "unchanged files, wall",
            measurement.typical(lambda one: one.unchanged.wall),
            "s",
            None if measurement.corpus.is_general else Bound(0.5),
        ),
        Figure("memory of one process", measurement.typical(lambda one: one.one_process.memory), "MB"),
    ]


def hook_figures(rounds: Sequence[HookRound]) -> list[Figure]:
    """Everything about a commit hook that counts."""

    def typical(figure: Callable[[HookRound], float]) -> float:
        return median(map(figure, rounds))

    return [
        Figure("small file, nothing cached, wall", typical(lambda one: one.cold.wall), "s", Bound(0.25)),
        Figure("small file, unchanged, wall", typical(lambda one: one.warm.wall), "s", Bound(0.15)),
        Figure("small file / import libcst", typical(lambda one: one.cold.wall / one.import_libcst.wall)),
        Figure("small file / python -c pass", typical(lambda one: one.cold.wall / one.interpreter.wall)),
    ]


def large_figures(large: Large) -> list[Figure]:
    """Everything about a large corpus that counts."""
    bound = Bound(1000) if large.corpus.lines >= _MILLION else None
    return [
        Figure("memory of one process", large.cost.memory, "MB", bound),
        Figure("one process, wall", large.cost.wall, "s"),
        Figure("one process, CPU", large.cost.cpu, "s"),
    ]


def _of_linter(name: str) -> Bound | None:
    return _COMPARED.get(name.partition(" ")[0])
