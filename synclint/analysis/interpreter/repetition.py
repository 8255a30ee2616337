"""Runs are repeated until none rests on anything that has changed, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from synclint.analysis.domain.values import FunctionRecord
from synclint.analysis.interpreter.engine import Engine, TooMuchWorkError
from synclint.analysis.state.runs import Run

# How much may be run again until nothing changes, as a share of what was run first; in small projects this many.
MOST_REPEATED = 0.15
FEWEST_REPEATED = 4_000


def reach_fixpoint(engine: Engine) -> None:
    """Repeat runs until none rests on anything that has changed."""

    def repeat(run: Run) -> None:
        try:
            engine.repeat(run)
        except TooMuchWorkError:
            run.is_due = False

    engine.fixpoint.reach(repeat, _within_bounds(engine))


def run_edited(engine: Engine, functions: Iterable[FunctionRecord]) -> set[Run] | None:
    """Run functions with other bodies again, and all that rests on them; gives the runs that were done or dropped.

    None where that takes too much work, is nested too deeply, or fails: a new analysis reports it as it should be.
    """
    fixpoint = engine.fixpoint
    edited: dict[Run, None] = {}
    for record, known in fixpoint.runs_of(functions).items():
        if engine.read_anew(record):
            edited.update(dict.fromkeys(caller for run in known for caller in run.demands))
        edited.update(dict.fromkeys(known))
    failed = len(engine.failures)
    times = {run: min(run.times, 1) for run in fixpoint.runs}
    try:
        is_done = fixpoint.reach_from(edited, lambda run: engine.repeat(run, run.module), _within_bounds(engine))
    except Exception:
        return None
    if not is_done or len(engine.failures) > failed:
        return None
    now = {run: run.times for run in fixpoint.runs}
    return {run for run in times.keys() | now.keys() if times.get(run) != now.get(run)}


def _within_bounds(engine: Engine) -> Callable[[], bool]:
    most = engine.statements_run + max(FEWEST_REPEATED, int(engine.statements_run * MOST_REPEATED))
    return lambda: engine.statements_run < most
