"""The stopwatch: with a known stretch of work queued first, a line that waits takes as long as the work.

``torch.cuda._sleep`` spins a kernel for a number of clock cycles. Calibrated once, it is a ruler: the
host returns from an ordinary line while the kernel still runs, and from a line that waits when the
kernel is done, not sooner and not much later. Whatever fits neither is the work of somebody else on
this machine: such a run is discarded and repeated, and a line that stays so is called disturbed.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from synclint.verify.measurement import LineTime

SLEEP_SECONDS = 0.005
IDLE_RUNS = 3

# So many undisturbed runs in a row must agree on a line. The work queued grows with every three runs, from
# 5 ms to 40 ms: what disturbs a short run is short beside a long one.
AGREEING_RUNS = 3
MOST_RUNS = 12

# What is left of the queued work is known this well: the GPU's clock moves while the work is done.
TOLERANCE = 0.25

# How much later than the work a line that waited for it may end: the host has to be woken up.
LATE_SECONDS = 0.001

# A line must be short beside the work before it, or its own time cannot be told from a wait.
_SHARE_OF_OWN_TIME = 0.5

# The host is held as well when it queues more than about a thousand pieces of work, and each sleep is three.
_LONGEST_QUEUE_SECONDS = 1.0


def cycles_per_second(samples: Iterable[tuple[int, float]]) -> float:
    """The rate of ``torch.cuda._sleep`` from (cycles, seconds) samples: their median."""
    rates = [cycles / seconds for cycles, seconds in samples if seconds > 0]
    if not rates:
        raise ValueError("the device's clock could not be calibrated: no sleep took measurable time")
    return statistics.median(rates)


def stretch_of_run(number: int) -> float:
    """The seconds of work that is queued at a time in a run; runs count from 0."""
    return float(SLEEP_SECONDS * 2 ** (number // AGREEING_RUNS))


class SleepQueue:
    """Keeps a stretch of known work before the device, and knows how much of it is left.

    ``sleep`` queues work of ``length`` seconds and returns at once; ``drained`` says whether all of it
    is done, without waiting; ``clock`` reads seconds. Work queued on an idle device is taken to start
    at once.
    """

    def __init__(
        self,
        sleep: Callable[[], None],
        drained: Callable[[], bool],
        length: float,
        clock: Callable[[], float],
    ) -> None:
        self.drained = drained
        self._sleep = sleep
        self._length = length
        self._clock = clock
        self._busy_until = float("-inf")

    def top_up(self, least: float = 0.0) -> float:
        """Queue more work unless half a stretch and ``least`` seconds are left; the seconds that are left then."""
        now = self._clock()
        if self.drained():
            self._busy_until = now
        while self._busy_until - now < max(self._length / 2, min(least, _LONGEST_QUEUE_SECONDS)):
            self._sleep()
            self._busy_until = max(now, self._busy_until) + self._length
        return self._busy_until - self._clock()


class IdleDevice:
    """Stands in for the queue when nothing is queued."""

    def top_up(self, least: float = 0.0) -> float:
        """No work is left, and none is added."""
        return 0.0

    def drained(self) -> bool:
        """There is nothing to be done."""
        return True


@dataclass(frozen=True)
class Segment:
    """A stretch of one line that ran without leaving it: seconds taken, seconds of work before it.

    ``drained`` says whether that work was done when the stretch ended; if it was not, nobody waited
    for it. ``late`` when it was done before the stretch began: then there was nothing to wait for.
    """

    line: int
    elapsed: float
    remaining: float
    drained: bool
    late: bool = False


class Reading(Enum):
    """What a run says of a line."""

    HELD = "held"
    FREE = "free"
    DISTURBED = "disturbed"


def rescaled(segments: Iterable[Segment], scale: float) -> list[Segment]:
    """The segments with the work before them at its true length: ``scale`` times what was planned.

    A GPU changes its clock as it likes, and the cycles of a sleep last longer or shorter with it.
    """
    return [replace(segment, remaining=segment.remaining * scale) for segment in segments]


class SegmentTimer:
    """An observer that reads the clock around every line, each begun with work in ``queue``.

    A line that calls a helper of the same file is split: the helper's time is the helper's. ``idle``
    says how long the lines take on an idle device: a slow one gets more work before it.
    """

    def __init__(
        self, clock: Callable[[], float], queue: SleepQueue | IdleDevice, idle: Mapping[int, float] | None = None
    ) -> None:
        self.segments: list[Segment] = []
        self._clock = clock
        self._queue = queue
        self._idle = idle or {}
        self._open: list[int] = []
        self._remaining = 0.0
        self._late = False
        self._began = 0.0

    def enter(self, line: int) -> None:
        """Close the stretch of the line that calls, and begin that of ``line``."""
        self._close()
        self._open.append(line)
        self._begin()

    def leave(self, line: int) -> None:
        """Close the stretch of ``line``, and begin another of the line that called it."""
        self._close()
        self._open.pop()
        if self._open:
            self._begin()

    def _begin(self) -> None:
        own = self._idle.get(self._open[-1], 0.0)
        self._remaining = self._queue.top_up(1.5 * own / _SHARE_OF_OWN_TIME)
        self._late = self._queue.drained()
        self._began = self._clock()

    def _close(self) -> None:
        if self._open:
            elapsed = self._clock() - self._began
            self.segments.append(Segment(self._open[-1], elapsed, self._remaining, self._queue.drained(), self._late))


def reading(segment: Segment, idle: float) -> Reading:
    """What one stretch says of its line, which takes ``idle`` seconds on an idle device.

    A line that ends while the work still runs did not wait for it. One that waited ends when the work
    does, and what it does itself comes before or after.
    """
    if segment.late:
        return Reading.DISTURBED
    if not segment.drained:
        return Reading.FREE
    if idle > segment.remaining * _SHARE_OF_OWN_TIME:
        return Reading.DISTURBED
    earliest = segment.remaining * (1 - TOLERANCE)
    latest = segment.remaining * (1 + TOLERANCE) + 1.5 * idle + LATE_SECONDS
    return Reading.HELD if earliest <= segment.elapsed <= latest else Reading.DISTURBED


def own_times(idle_runs: Sequence[Sequence[Segment]]) -> dict[int, float]:
    """How long each line takes on an idle device: the longest passage of a run, of the fastest run."""
    longest: list[dict[int, float]] = []
    for run in idle_runs:
        seen: dict[int, float] = {}
        for segment in run:
            seen[segment.line] = max(seen.get(segment.line, 0.0), segment.elapsed)
        longest.append(seen)
    lines = {line for seen in longest for line in seen}
    return {line: min(seen[line] for seen in longest if line in seen) for line in lines}


def judge(
    function: str,
    idle: Mapping[int, float],
    run: Callable[[int], Sequence[Segment] | None],
    most_runs: int = MOST_RUNS,
) -> tuple[LineTime, ...]:
    """Which lines wait: runs are made until they agree on every line, or are ``most_runs``.

    ``run`` makes a run of its number, counted from 0, with work queued, or gives None where there is no
    time for another; ``idle`` is what the lines take on an idle device. A line that runs several times
    waits when one of its passages does.
    """
    readings: dict[int, list[tuple[Reading, Segment]]] = {}
    for number in range(most_runs):
        segments = run(number)
        if segments is None:
            break
        for line, said in _readings_of_run(segments, idle).items():
            readings.setdefault(line, []).append(said)
        if number + 1 >= AGREEING_RUNS and all(_agreed(seen) is not None for seen in readings.values()):
            break
    return tuple(_line_time(function, line, idle.get(line, 0.0), seen) for line, seen in sorted(readings.items()))


_TELLING = (Reading.HELD, Reading.DISTURBED, Reading.FREE)


def _readings_of_run(run: Iterable[Segment], idle: Mapping[int, float]) -> dict[int, tuple[Reading, Segment]]:
    """For each line the passage that says most: one that was held, else one that was disturbed."""
    found: dict[int, tuple[Reading, Segment]] = {}
    for segment in run:
        said = reading(segment, idle.get(segment.line, 0.0))
        known = found.get(segment.line)
        if known is None or _TELLING.index(said) < _TELLING.index(known[0]):
            found[segment.line] = (said, segment)
    return found


def _agreed(seen: Sequence[tuple[Reading, Segment]]) -> Reading | None:
    """What the last undisturbed runs agree on; None where they do not, or are too few."""
    last = [said for said, _ in seen if said is not Reading.DISTURBED][-AGREEING_RUNS:]
    return last[0] if len(last) == AGREEING_RUNS and len(set(last)) == 1 else None


def _line_time(function: str, line: int, idle: float, seen: Sequence[tuple[Reading, Segment]]) -> LineTime:
    agreed = _agreed(seen)
    shown = [segment for said, segment in seen if agreed is None or said is agreed][-1]
    return LineTime(
        function=function,
        line=line,
        queued=shown.elapsed,
        idle=idle,
        remaining=shown.remaining,
        waited=agreed is Reading.HELD,
        disturbed=agreed is None,
    )
