"""How often a line runs, in the words of the reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from synclint.findings import CallPlace, Context, Phase, place_in_words

RUNS = {
    Phase.STEP: "in each step",
    Phase.EVAL: "in evaluation",
    Phase.INTERVAL: "at intervals",
    Phase.EPOCH: "once per epoch",
    Phase.ONCE: "once",
    Phase.DATA: "in data preparation",
    Phase.BENCHMARK: "in benchmarks",
    Phase.TEST: "in tests",
    Phase.UNREACHED: "in code that nothing here runs",
}
CAPTURED = "in captured graphs"
BY_NATURE = "inherent in what the program does"


def heading(contexts: Sequence[Context]) -> str:
    """The title of the part of a report in which findings of these contexts, all of one phase, stand."""
    context = contexts[0]
    if context.captured is not None:
        return "In captured graphs, where a wait fails"
    if context.assumed:
        return f"Offered to callers elsewhere, assumed to run {RUNS[context.runs]}"
    if context.runs is Phase.ONCE:
        return f"Runs {RUNS[context.runs]}"
    return (in_steps(contexts) if context.hot else RUNS[context.runs]).capitalize()


def _steps(context: Context) -> str:
    return _INFERRING if context.infers else RUNS[Phase.STEP]


def in_steps(contexts: Iterable[Context]) -> str:
    """``in the training step``, where one of them is known to be of training, and what else it is where others infer.

    Of a program that does neither, such as a simulation, there are just steps.
    """
    found = list(contexts)
    trains = any(context.trains or context.may_train for context in found)
    if any(context.infers for context in found):
        if trains:
            return "in the steps of training and inference"
        return _INFERRING if all(context.infers for context in found) else RUNS[Phase.STEP]
    return "in the training step" if trains else RUNS[Phase.STEP]


_INFERRING = "in each step of inference"


def counted(count: int, phase: Phase) -> str:
    """``70 in evaluation``, ``1 that runs once``."""
    if phase is Phase.ONCE:
        return f"{count} that {'runs' if count == 1 else 'run'} once"
    return f"{count} {RUNS[phase]}"


def needed(count: int) -> str:
    """``9 inherent in what the program does``: what goes in and comes out of a model, or a simulation."""
    return f"{count} {BY_NATURE}"


Shown = Callable[[str], str]


@dataclass
class _Places:
    """Tells places one after the other: a file is named where it is another one than that of the place before."""

    shown: Shown | None
    before: str = ""

    def said(self, path: str, line: int, cell: int | None = None) -> str:
        """A place in words."""
        if self.shown is None or cell is not None:
            return place_in_words(path, line, cell)
        where = f"line {line}" if path == self.before else f"{self.shown(path)}:{line}"
        self.before = path
        return where

    def call(self, call: CallPlace) -> str:
        """A call on the way to a line."""
        if self.shown is None or call.cell is not None:
            return str(call)
        where = self.said(call.path, call.line)
        return f"`{call.function}`, {where}" if call.function else where

    def reason(self, reason: str) -> str:
        """A reason with its place as others are told: "in the training loop at src/train.py:30, which ..."."""
        before, at, told = reason.partition(" at ")
        place, gap, rest = told.partition(" ")
        path, _, line = place.rpartition(":")
        number = line.rstrip(",")
        if self.shown is None or not number.isdigit():
            return reason
        return f"{before}{at}{self.said(path, int(number))}{line[len(number) :]}{gap}{rest}"


def note(context: Context, shown: Shown | None = None, room: int | None = None) -> str:
    """In one line how often the line of a finding runs, and what leads there; empty where there is nothing to say.

    With ``shown``, which says how a path is written, each file is named once where several places in it follow one
    another; otherwise places are told as the run has them. What has no room in so many columns is left out: calls in
    the middle of the chain first, then the end.
    """
    if not (context.reason or context.times or context.path):
        return ""
    said = _note(context, _Places(shown), None)
    if room is None or len(said) <= room:
        return said
    names = (shown, lambda path: _end_of_path(shown(path) if shown is not None else path))
    for name, most in ((name, most) for name in names for most in (3, 2, 1)):
        said = _note(context, _Places(name), most)
        if len(said) <= room:
            return said
    return f"{said[: room - 1]}…"


def _end_of_path(path: str) -> str:
    """The last two names of a path."""
    names = path.split("/")
    return path if len(names) < 3 else "/".join(("…", *names[-2:]))


def _note(context: Context, places: _Places, most: int | None) -> str:
    if context.runs is Phase.UNREACHED:
        return places.reason(context.reason)
    runs = "is assumed to run" if context.assumed else "runs"
    # The heading speaks of the training; the step of a program that draws samples is one, too.
    often = _steps(context) if context.hot else RUNS[context.runs]
    rounds = (loop.at(places.said(loop.path, loop.line, loop.cell)) for loop in context.times)
    said = ", ".join([f"{runs} {often}", *rounds])
    if context.path:
        said += f", called from {_chain(context.path, places, most)}"
        if context.reason.startswith("called from"):
            return said
    reason = places.reason(context.reason)
    if reason.startswith("runs "):
        told = reason.removeprefix("runs ")
        rest = told.removeprefix(often)
        # "runs once" is said already: what follows it is the reason.
        return f"{said}{rest}" if rest != told else f"{said}: {told}"
    return f"{said}: {reason}" if reason else said


def _chain(path: Sequence[CallPlace], places: _Places, most: int | None) -> str:
    """The calls on a way, at most so many of them: the last one, and the first ones."""
    if most is None or len(path) <= most:
        return " → ".join(map(places.call, path))
    first = [places.call(call) for call in path[: most - 1]]
    return " → ".join([*first, "…", places.call(path[-1])])
