"""What the device did in the profiled steps, and what of that is missing."""

from __future__ import annotations

from typing import Any

import pytest

from synclint.trace.cuda_recorder import _lost
from synclint.trace.device_records import DeviceRecords, busy_steps, joined_records, records_of
from synclint.trace.recorders import Window

BASE = 1_000_000_000


def event(cat: str, name: str, start: float, length: float, correlation: int | None = None) -> dict[str, Any]:
    given = {} if correlation is None else {"correlation": correlation}
    return {"ph": "X", "cat": cat, "name": name, "ts": start, "dur": length, "args": given}


def window(step: int, start: float, end: float) -> Window:
    return Window(step, BASE + round(1000 * start), BASE + round(1000 * end))


def launch(start: float, correlation: int, name: str = "cudaLaunchKernel") -> dict[str, Any]:
    return event("cuda_runtime", name, start, 5, correlation)


def kernel(start: float, length: float, correlation: int) -> dict[str, Any]:
    return event("kernel", "gemm", start, length, correlation)


@pytest.mark.parametrize(
    "name",
    [
        "cudaLaunchKernel",
        "cudaLaunchKernelExC",
        "cuLaunchKernel",
        "cudaMemcpyAsync",
        "cuLaunchKernelEx",
    ],
)
def test_a_call_whose_work_is_nowhere_is_a_lost_record(name: str) -> None:
    events = [launch(10, 1, name), launch(20, 2, name), kernel(30, 5, 1)]
    assert records_of(events, BASE, [window(2, 0, 100)]) == DeviceRecords(asked=2, lost=1)


def test_a_record_without_times_is_lost() -> None:
    events = [launch(10, 1), kernel(0, 0, 1)]
    assert records_of(events, BASE, [window(2, 0, 100)]) == DeviceRecords(asked=1, lost=1)


def test_calls_outside_of_the_profiled_steps_and_those_that_ask_for_no_work_do_not_count() -> None:
    events = [
        launch(200, 1),
        event("cuda_runtime", "cudaStreamSynchronize", 10, 5, 2),
        launch(10, 3, "cudaGraphLaunch"),
    ]
    assert records_of(events, BASE, [window(2, 0, 100)]) == DeviceRecords()
    assert DeviceRecords().lost_share == 0.0


def test_the_records_of_several_traces_are_told_together() -> None:
    both = joined_records([DeviceRecords(900, 1), DeviceRecords(100, 9)])
    assert (both.asked, both.lost, both.lost_share) == (1000, 10, 0.01)


def test_the_report_says_how_many_are_lost_and_when_that_is_too_many() -> None:
    assert _lost(DeviceRecords(1000, 0), tells_idle=True) == []
    (few,) = _lost(DeviceRecords(1000, 5), tells_idle=True)
    assert few == "the profiler lost 5 of 1000 records of the device's work (0.5 %)"
    (many,) = _lost(DeviceRecords(1000, 20), tells_idle=False)
    assert many == few.replace("5 of", "20 of").replace("0.5", "2") + ", so nothing is said of when the device was idle"


def test_the_device_is_busy_while_any_of_its_streams_is_and_within_the_step_alone() -> None:
    events = [kernel(90, 20, 1), kernel(120, 30, 2), event("gpu_memcpy", "Memcpy HtoD", 140, 20, 3), kernel(190, 99, 4)]
    # 100 to 110, 120 to 160 and 190 to 200; and 200 to 289 in the next step.
    busy = busy_steps(events, BASE, [window(2, 100, 200), window(3, 200, 300)])
    assert busy == {2: pytest.approx(60e-6), 3: pytest.approx(89e-6)}
    assert busy_steps([*events, kernel(0, 20, 5), kernel(400, 50, 6)], BASE, [window(2, 100, 200)])[2] == busy[2]


def test_a_trace_that_knows_nothing_of_the_device_says_nothing_of_its_work() -> None:
    assert busy_steps([launch(10, 1)], BASE, [window(2, 0, 100)]) == {}
