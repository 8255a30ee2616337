"""Runs are repeated until none rests on anything that has changed, within bounds."""

from __future__ import annotations

from collections.abc import Callable

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


def _within_bounds(engine: Engine) -> Callable[[], bool]:
    most = engine.statements_run + max(FEWEST_REPEATED, int(engine.statements_run * MOST_REPEATED))
    return lambda: engine.statements_run < most
