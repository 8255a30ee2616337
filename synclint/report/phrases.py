"""How often a line runs, in the words of the reports."""

from __future__ import annotations

from synclint.findings import Context, Phase

RUNS = {
    Phase.STEP: "in the training step",
    Phase.EVAL: "in evaluation",
    Phase.INTERVAL: "at intervals",
    Phase.EPOCH: "once an epoch",
    Phase.ONCE: "once",
    Phase.DATA: "in the preparation of data",
    Phase.BENCHMARK: "in benchmarks",
    Phase.TEST: "in tests",
}
CAPTURED = "in captured graphs"
BY_NATURE = "by nature of inference"


def heading(context: Context) -> str:
    """The title of the part of a report in which findings of this context stand."""
    if context.captured is not None:
        return "In captured graphs, where a wait fails"
    return f"Runs {RUNS[context.runs]}" if context.runs is Phase.ONCE else RUNS[context.runs].capitalize()


def counted(count: int, phase: Phase) -> str:
    """``70 in evaluation``, ``1 that runs once``."""
    if phase is Phase.ONCE:
        return f"{count} that {'runs' if count == 1 else 'run'} once"
    return f"{count} {RUNS[phase]}"


def needed(count: int) -> str:
    """``9 by nature of inference``: what goes in and comes out of a model, and what selects its results."""
    return f"{count} {BY_NATURE}"


def note(context: Context) -> str:
    """In one line how often the line of a finding runs, and what leads there; empty where there is nothing to say."""
    if not (context.reason or context.times or context.path):
        return ""
    runs = "is taken to run" if context.assumed else "runs"
    # The heading speaks of the training; the step of a program that draws samples is one, too.
    often = ("in each step of inference" if context.infers else "in each step") if context.hot else RUNS[context.runs]
    said = ", ".join([f"{runs} {often}", *map(str, context.times)])
    if context.path:
        said += f", called from {' → '.join(map(str, context.path))}"
        if context.reason.startswith("called from"):
            return said
    return f"{said}: {context.reason}" if context.reason else said
