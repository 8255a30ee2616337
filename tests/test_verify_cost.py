"""What a wait costs, on a device and a host that stand still until they are told to go on."""

from __future__ import annotations

import pytest

from synclint.verify.cost import STEP_SECONDS, calls_to_measure, host_ratio, measure_cost
from synclint.verify.measurement import Cost, Side


class Bench:
    def __init__(self) -> None:
        self.now = 0.0
        self.busy_until = 0.0

    def step(self) -> None:
        self.busy_until = max(self.now, self.busy_until) + STEP_SECONDS

    def drain(self) -> None:
        self.now = max(self.now, self.busy_until)

    def launch(self) -> None:
        self.now += 0.0001

    def launch_and_wait(self) -> None:
        self.launch()
        self.drain()

    def measure(self, side: Side, run: object) -> Cost:
        assert callable(run)
        return measure_cost(side, "case", [run] * 20, self.step, self.drain, lambda: self.now)


def test_a_call_that_waits_is_blocked_for_the_step() -> None:
    bench = Bench()
    cost = bench.measure(Side.HAZARD, bench.launch_and_wait)
    assert cost.host == pytest.approx(STEP_SECONDS)
    assert cost.blocked == pytest.approx(STEP_SECONDS - 0.0001)
    assert cost.calls == 10


def test_a_call_that_does_not_wait_returns_at_once_while_the_wall_time_is_the_work() -> None:
    bench = Bench()
    cost = bench.measure(Side.TWIN, bench.launch)
    assert cost.host == pytest.approx(0.0001)
    assert cost.blocked == pytest.approx(0.0)
    assert cost.wall == pytest.approx(STEP_SECONDS)


def test_the_ratio_is_of_the_time_until_the_calls_return() -> None:
    bench = Bench()
    costs = [bench.measure(Side.HAZARD, bench.launch_and_wait), bench.measure(Side.TWIN, bench.launch)]
    assert host_ratio(costs) == pytest.approx(10.0)
    assert host_ratio(costs[:1]) is None


def test_slow_functions_are_called_fewer_times() -> None:
    assert [calls_to_measure(seconds) for seconds in (0.0, 0.001, 0.1, 0.25, 3.0)] == [10, 10, 5, 2, 1]
