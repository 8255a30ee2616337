"""The stopwatch, with a clock and a device that stand still until they are told to go on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from synclint.verify.stopwatch import (
    IdleDevice,
    Segment,
    SegmentTimer,
    SleepQueue,
    cycles_per_second,
    judge,
    own_times,
    rescaled,
    stretch_of_run,
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


def passed(elapsed: float, remaining: float = LENGTH, drained: bool = True, late: bool = False) -> Segment:
    return Segment(1, elapsed, remaining, drained, late)


WAITED = passed(LENGTH)
WENT_ON = passed(0.0001, drained=False)
LATE = passed(0.0001, late=True)


def judged(runs: Sequence[Segment | Sequence[Segment]], idle: float = 0.0) -> tuple[bool, bool]:
    """Whether line 1 waited, and whether it was disturbed, after as many of the runs as are asked for."""
    made = [[run] if isinstance(run, Segment) else run for run in runs]
    (time,) = judge("case", {1: idle}, lambda number: made[number] if number < len(made) else None)
    return time.waited, time.disturbed


def runs_made(runs: Sequence[Segment]) -> int:
    asked: list[int] = []

    def run(number: int) -> list[Segment]:
        asked.append(number)
        return [runs[min(number, len(runs) - 1)]]

    judge("case", {}, run)
    return len(asked)


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

    def queued(number: int) -> list[Segment]:
        bench = Bench()
        return run(bench.queue, bench)

    times = judge("case", own_times([run(IdleDevice(), Bench())]), queued)
    assert {time.line: (time.waited, time.disturbed) for time in times} == {
        1: (False, False),
        2: (True, False),
        3: (False, False),
    }


def test_a_slow_line_gets_more_work_before_it() -> None:
    bench = Bench()
    timer = SegmentTimer(lambda: bench.now, bench.queue, {7: 0.05})
    timer.enter(7)
    bench.compute(0.05)
    timer.leave(7)
    assert not timer.segments[0].drained
    assert timer.segments[0].remaining >= 0.1


def test_a_line_that_takes_longer_than_the_work_is_no_wait() -> None:
    # 17 ms against 4.6 ms of work: whatever held the line so long, it was not the work.
    assert judged([passed(0.017, 0.0046)] * 12) == (False, True)


def test_a_run_whose_work_ended_before_the_line_began_says_nothing() -> None:
    assert judged([LATE, WAITED, WAITED, LATE, WAITED]) == (True, False)


def test_one_disturbed_run_does_not_hide_a_wait() -> None:
    assert judged([WAITED, passed(0.03), WAITED, WAITED]) == (True, False)


def test_one_run_that_looks_like_a_wait_does_not_make_one() -> None:
    assert judged([WENT_ON, WAITED, WENT_ON, WENT_ON, WENT_ON]) == (False, False)


def test_runs_that_never_agree_are_called_disturbed() -> None:
    assert judged([WENT_ON, WAITED] * 6) == (False, True)


def test_a_line_is_disturbed_where_there_was_no_time_to_repeat_it() -> None:
    assert judged([WAITED, LATE, LATE]) == (False, True)


def test_undisturbed_runs_that_agree_are_not_repeated() -> None:
    assert runs_made([WAITED]) == 3
    assert runs_made([LATE, LATE, WENT_ON]) == 5
    assert runs_made([LATE]) == 12


def test_the_work_grows_with_the_runs() -> None:
    assert [stretch_of_run(number) for number in (0, 2, 3, 11)] == [0.005, 0.005, 0.01, 0.04]


def test_a_line_that_leaves_work_undone_did_not_wait_for_it() -> None:
    assert judged([passed(0.004, drained=False)] * 3) == (False, False)


def test_a_line_that_is_slow_beside_the_work_cannot_be_told() -> None:
    assert judged([passed(0.005)] * 12, idle=0.004) == (False, True)


def test_what_a_line_does_itself_may_come_before_the_wait_or_after_it() -> None:
    assert judged([passed(LENGTH)] * 3, idle=0.002) == (True, False)
    assert judged([passed(LENGTH + 0.002)] * 3, idle=0.002) == (True, False)


def test_an_idle_run_that_was_slow_once_does_not_hide_a_wait() -> None:
    assert own_times([[passed(0.009)], [passed(0.0001), passed(0.0002)]]) == {1: 0.0002}


def test_a_line_of_a_loop_waits_when_one_passage_does() -> None:
    assert judged([[WENT_ON, WAITED, WENT_ON]] * 3) == (True, False)


def test_a_sleep_that_lasts_longer_than_planned_is_measured_at_its_true_length() -> None:
    # 5 ms planned and 10 ms taken: a line that ended after 5 ms did not end with the work.
    assert judged(rescaled([passed(0.005)], 2.0) * 12) == (False, True)
    assert judged(rescaled([passed(0.010)], 2.0) * 3) == (True, False)
