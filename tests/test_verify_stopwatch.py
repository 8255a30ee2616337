"""The stopwatch, with a clock and a device that stand still until they are told to go on."""

from __future__ import annotations

import pytest

from synclint.verify.stopwatch import (
    IdleDevice,
    Segment,
    SegmentTimer,
    SleepQueue,
    cycles_per_second,
    judge,
    rescaled,
)

LENGTH = 0.005


class Bench:
    """A host clock and a device that works off what is queued."""

    def __init__(self) -> None:
        self.now = 100.0
        self.busy_until = 0.0
        self.sleeps = 0
        self.queue = SleepQueue(self.sleep, self.drained, LENGTH, lambda: self.now)

    def sleep(self) -> None:
        self.sleeps += 1
        self.busy_until = max(self.now, self.busy_until) + LENGTH

    def drained(self) -> bool:
        return self.now >= self.busy_until

    def compute(self, seconds: float) -> None:
        self.now += seconds

    def wait(self) -> None:
        self.now = max(self.now, self.busy_until)


def held(line: int, elapsed: float, remaining: float = LENGTH, drained: bool = True) -> Segment:
    return Segment(line, elapsed, remaining, drained)


def waits(idle: list[list[Segment]], queued: list[list[Segment]]) -> dict[int, bool]:
    return {time.line: time.waited for time in judge("case", idle, queued)}


def test_the_rate_is_the_median_of_the_samples() -> None:
    assert cycles_per_second([(100, 1.0), (100, 0.5), (100, 0.1)]) == 200.0


def test_a_clock_that_measures_nothing_cannot_be_calibrated() -> None:
    with pytest.raises(ValueError, match="could not be calibrated"):
        cycles_per_second([(100, 0.0)])


def test_work_is_queued_once_for_lines_that_do_not_wait() -> None:
    bench = Bench()
    for _ in range(10):
        bench.queue.top_up()
        bench.compute(0.0001)
    assert bench.sleeps == 1


def test_work_is_queued_again_after_a_line_that_waits() -> None:
    bench = Bench()
    assert bench.queue.top_up() == pytest.approx(LENGTH)
    bench.wait()
    assert bench.queue.top_up() == pytest.approx(LENGTH)
    assert bench.sleeps == 2


def test_work_is_queued_again_when_less_than_half_is_left() -> None:
    bench = Bench()
    bench.queue.top_up()
    bench.compute(0.6 * LENGTH)
    assert bench.queue.top_up() == pytest.approx(1.4 * LENGTH)


def test_work_that_ended_early_is_noticed() -> None:
    bench = Bench()
    bench.queue.top_up()
    bench.busy_until = bench.now + 0.2 * LENGTH
    bench.wait()
    assert bench.queue.top_up() == pytest.approx(LENGTH)


def test_the_time_of_a_helper_is_not_its_callers() -> None:
    bench = Bench()
    timer = SegmentTimer(lambda: bench.now, bench.queue)
    timer.enter(10)
    bench.compute(0.001)
    timer.enter(2)
    bench.wait()
    timer.leave(2)
    bench.compute(0.001)
    timer.leave(10)
    assert [segment.line for segment in timer.segments] == [10, 2, 10]
    assert [segment.elapsed for segment in timer.segments] == pytest.approx([0.001, 0.004, 0.001])
    assert [segment.drained for segment in timer.segments] == [False, True, False]


def test_lines_that_wait_are_told_from_lines_that_do_not() -> None:
    def run(queue: SleepQueue | IdleDevice, bench: Bench) -> list[Segment]:
        timer = SegmentTimer(lambda: bench.now, queue)
        for line in (1, 2, 3):
            timer.enter(line)
            bench.compute(0.0001)
            if line == 2:
                bench.wait()
            timer.leave(line)
        return timer.segments

    idle = [run(IdleDevice(), Bench())]
    busy = [Bench(), Bench()]
    assert waits(idle, [run(bench.queue, bench) for bench in busy]) == {1: False, 2: True, 3: False}


def test_a_line_that_is_slow_by_itself_does_not_wait() -> None:
    assert waits([[held(1, 0.008)]], [[held(1, 0.008)]]) == {1: False}


def test_a_line_that_was_slow_once_does_not_wait() -> None:
    assert waits([[held(1, 0.0001)]], [[held(1, 0.009)], [held(1, 0.0001)]]) == {1: False}


def test_an_idle_run_that_was_slow_once_does_not_hide_a_wait() -> None:
    assert waits([[held(1, 0.009)], [held(1, 0.0001)]], [[held(1, 0.005)]]) == {1: True}


def test_a_line_that_leaves_work_undone_did_not_wait_for_it() -> None:
    assert waits([[held(1, 0.0)]], [[held(1, 0.004, drained=False)]]) == {1: False}


def test_a_line_of_a_loop_waits_when_one_passage_does() -> None:
    queued = [held(1, 0.0001, drained=False), held(1, 0.005), held(1, 0.0001, drained=False)]
    assert waits([[held(1, 0.0001)]], [queued]) == {1: True}


def test_a_sleep_that_lasts_longer_than_planned_is_measured_at_its_true_length() -> None:
    # 5 ms planned and 10 ms taken: a line held for 3 ms was not held by the work.
    assert waits([[held(1, 0.0)]], [rescaled([held(1, 0.003)], 2.0)]) == {1: False}
