"""The stopwatch: with a known stretch of work queued first, a line that waits takes as long as the work.

``torch.cuda._sleep`` spins a kernel for a number of clock cycles. Calibrated once, it is a ruler: the
host returns from an ordinary line at once, and from a line that waits only when the kernel is done.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from synclint.verify.measurement import LineTime

SLEEP_SECONDS = 0.005
IDLE_RUNS = 3
QUEUED_RUNS = 3

# A line waits when the queued work holds it for at least this share of what is left of the work:
# half leaves room for a GPU clock that moved since the work was queued.
WAITING_SHARE = 0.5


def cycles_per_second(samples: Iterable[tuple[int, float]]) -> float:
    """The rate of ``torch.cuda._sleep`` from (cycles, seconds) samples: their median."""
    rates = [cycles / seconds for cycles, seconds in samples if seconds > 0]
    if not rates:
        raise ValueError("the device's clock could not be calibrated: no sleep took measurable time")
    return statistics.median(rates)


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

    def top_up(self) -> float:
        """Queue more work unless half a stretch is left; the seconds of work that are left then."""
        now = self._clock()
        if self.drained():
            self._busy_until = now
        if self._busy_until - now < self._length / 2:
            self._sleep()
            self._busy_until = max(now, self._busy_until) + self._length
        return self._busy_until - self._clock()


class IdleDevice:
    """Stands in for the queue when nothing is queued."""

    def top_up(self) -> float:
        """No work is left, and none is added."""
        return 0.0

    def drained(self) -> bool:
        """There is nothing to be done."""
        return True


@dataclass(frozen=True)
class Segment:
    """A stretch of one line that ran without leaving it: seconds taken, seconds of work before it.

    ``drained`` says whether that work was done when the stretch ended; if it was not, nobody waited
    for it.
    """

    line: int
    elapsed: float
    remaining: float
    drained: bool


def rescaled(segments: Iterable[Segment], scale: float) -> list[Segment]:
    """The segments with the work before them at its true length: ``scale`` times what was planned.

    A GPU changes its clock as it likes, and the cycles of a sleep last longer or shorter with it.
    """
    return [replace(segment, remaining=segment.remaining * scale) for segment in segments]


class SegmentTimer:
    """An observer that reads the clock around every line, each begun with work in ``queue``.

    A line that calls a helper of the same file is split: the helper's time is the helper's.
    """

    def __init__(self, clock: Callable[[], float], queue: SleepQueue | IdleDevice) -> None:
        self.segments: list[Segment] = []
        self._clock = clock
        self._queue = queue
        self._open: list[int] = []
        self._remaining = 0.0
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
        self._remaining = self._queue.top_up()
        self._began = self._clock()

    def _close(self) -> None:
        if self._open:
            elapsed = self._clock() - self._began
            self.segments.append(Segment(self._open[-1], elapsed, self._remaining, self._queue.drained()))


def judge(
    function: str, idle_runs: Sequence[Sequence[Segment]], queued_runs: Sequence[Sequence[Segment]]
) -> tuple[LineTime, ...]:
    """Which lines wait: those that the queued work holds in every queued run.

    What a line takes on an idle device is not held against it. A line that runs several times waits
    when one of its passages does. Of each kind of run the fastest counts: a busy host makes a line
    slow now and then, a wait holds it every time.
    """
    idle = _fastest_run([_longest(run) for run in idle_runs])
    readings: dict[int, list[tuple[float, Segment]]] = {}
    for run in queued_runs:
        for line, segment in _most_held(run, idle).items():
            readings.setdefault(line, []).append((_held_share(segment, idle), segment))
    times = []
    for line, seen in sorted(readings.items()):
        share, segment = min(seen, key=lambda reading: reading[0])
        times.append(
            LineTime(
                function=function,
                line=line,
                queued=segment.elapsed,
                idle=idle.get(line, 0.0),
                remaining=segment.remaining,
                waited=share >= WAITING_SHARE,
            )
        )
    return tuple(times)


def _longest(segments: Iterable[Segment]) -> dict[int, float]:
    longest: dict[int, float] = {}
    for segment in segments:
        longest[segment.line] = max(longest.get(segment.line, 0.0), segment.elapsed)
    return longest


def _fastest_run(runs: Sequence[Mapping[int, float]]) -> dict[int, float]:
    lines = {line for run in runs for line in run}
    return {line: min(run[line] for run in runs if line in run) for line in lines}


def _held_share(segment: Segment, idle: Mapping[int, float]) -> float:
    if segment.remaining <= 0 or not segment.drained:
        return 0.0
    return (segment.elapsed - idle.get(segment.line, 0.0)) / segment.remaining


def _most_held(run: Iterable[Segment], idle: Mapping[int, float]) -> dict[int, Segment]:
    most: dict[int, Segment] = {}
    for segment in run:
        known = most.get(segment.line)
        if known is None or _held_share(segment, idle) > _held_share(known, idle):
            most[segment.line] = segment
    return most
