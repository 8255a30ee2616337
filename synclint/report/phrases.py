"""How often a line runs, in the words of the reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from synclint.findings import CallPlace, Context, Phase, Repetition

RUNS = {
    Phase.STEP: "in the training step",
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
BY_NATURE = "inherent in inference"


def heading(contexts: Sequence[Context]) -> str:
    """The title of the part of a report in which findings of these contexts, all of one phase, stand."""
    context = contexts[0]
    if context.captured is not None:
        return "In captured graphs, where a wait fails"
    if context.assumed:
        return f"Offered to callers elsewhere, assumed to run {_often(context)}"
    if context.runs is Phase.ONCE:
        return f"Runs {RUNS[context.runs]}"
    return (in_steps(contexts) if context.hot else RUNS[context.runs]).capitalize()


def _often(context: Context) -> str:
    return "in each step" if context.hot else RUNS[context.runs]


def _steps(context: Context) -> str:
    return "in each step of inference" if context.infers else "in each step"


def in_steps(contexts: Iterable[Context]) -> str:
    """``in the training step``, and what else it is where a program draws samples or predicts."""
    return _STEPS[frozenset(context.infers for context in contexts)]


_STEPS = {
    frozenset(): RUNS[Phase.STEP],
    frozenset({False}): RUNS[Phase.STEP],
    frozenset({True}): "in each step of inference",
    frozenset({True, False}): "in the steps of training and inference",
}


def counted(count: int, phase: Phase) -> str:
    """``70 in evaluation``, ``1 that runs once``."""
    if phase is Phase.ONCE:
        return f"{count} that {'runs' if count == 1 else 'run'} once"
    return f"{count} {RUNS[phase]}"


def needed(count: int) -> str:
    """``9 inherent in inference``: what goes in and comes out of a model, and what selects its results."""
    return f"{count} {BY_NATURE}"


def _calls(path: Sequence[CallPlace], shown: Callable[[str], str] | None) -> Iterator[str]:
    """The calls on a way; with ``shown`` the file is told where it is another one than that of the call before."""
    before = ""
    for call in path:
        if shown is None or call.cell is not None:
            yield str(call)
        else:
            where = f"line {call.line}" if call.path == before else f"{shown(call.path)}:{call.line}"
            yield f"`{call.function}`, {where}" if call.function else where
        before = call.path


def _rounds(loops: Sequence[Repetition], shown: Callable[[str], str] | None) -> Iterator[str]:
    """The loops that multiply a line, told like the calls."""
    before = ""
    for loop in loops:
        if shown is None or loop.cell is not None:
            yield str(loop)
        else:
            yield loop.at(f"line {loop.line}" if loop.path == before else f"{shown(loop.path)}:{loop.line}")
        before = loop.path


def _with_place(reason: str, shown: Callable[[str], str]) -> str:
    """A reason with the path in it as it is shown: "in the training loop at src/train.py:30, which ..."."""
    before, at, told = reason.partition(" at ")
    place, gap, rest = told.partition(" ")
    path, _, line = place.rpartition(":")
    return f"{before}{at}{shown(path)}:{line}{gap}{rest}" if line.rstrip(",").isdigit() else reason


def note(context: Context, shown: Callable[[str], str] | None = None) -> str:
    """In one line how often the line of a finding runs, and what leads there; empty where there is nothing to say.

    With ``shown``, which says how a path is written, calls and loops are told by it, and as the run has them otherwise.
    """
    if not (context.reason or context.times or context.path):
        return ""
    if context.runs is Phase.UNREACHED:
        return context.reason
    runs = "is assumed to run" if context.assumed else "runs"
    # The heading speaks of the training; the step of a program that draws samples is one, too.
    often = _steps(context) if context.hot else RUNS[context.runs]
    said = ", ".join([f"{runs} {often}", *_rounds(context.times, shown)])
    if context.path:
        said += f", called from {' → '.join(_calls(context.path, shown))}"
        if context.reason.startswith("called from"):
            return said
    reason = context.reason if shown is None else _with_place(context.reason, shown)
    if reason.startswith(f"{said}, "):
        return reason
    return f"{said}: {reason}" if reason else said
