"""What each step took over a run, and how much of it the device worked."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from synclint.trace.records import Step
from synclint.trace.report import StepTimes

# A run may have millions of steps, and a picture has so many points.
_MOST_VALUES = 400


def step_times(steps: Sequence[Step]) -> StepTimes | None:
    """The times of steps in their order; None where there are none."""
    if not steps:
        return None
    every = -(-len(steps) // _MOST_VALUES)
    seconds = [step.seconds for step in steps]
    longest = max(steps, key=lambda step: step.seconds)
    return StepTimes(
        first=steps[0].number,
        every=every,
        seconds=tuple(statistics.fmean(seconds[at : at + every]) for at in range(0, len(seconds), every)),
        median=statistics.median(seconds),
        longest=longest.seconds,
        longest_step=longest.number,
    )


def busy_share(steps: Sequence[Step]) -> float | None:
    """For what share of the profiled steps the device had something to do, from 0 to 1; None where nobody knows."""
    known = [(step.busy, step.seconds) for step in steps if step.busy is not None]
    total = sum(seconds for _, seconds in known)
    return min(sum(busy for busy, _ in known) / total, 1.0) if total else None
