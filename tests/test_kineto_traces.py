"""Traces as different releases write them say the same of the same step; its figures are counted by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import kineto_traces
import pytest
from kineto_traces import AUTOGRAD, BEGAN, LENGTH, MAIN, TRACES, step
from traced_runs import place, wait

from synclint.trace.call_watch import Calls, WatchedCall
from synclint.trace.cuda_recorder import _read
from synclint.trace.device_records import DeviceRecords, busy_steps, records_of
from synclint.trace.device_side import Announcement, Trace, device_work, measured_waits
from synclint.trace.recorders import Interval, Window
from synclint.trace.records import Action, Origin
from synclint.verify.chrome_trace import has_cuda_events, waiting_calls


def moment(microseconds: float) -> int:
    return BEGAN + round(1000 * microseconds)


WINDOW = Window(2, moment(0), moment(LENGTH))
BACKWARD = Interval(Action.BACKWARD, 2, MAIN, moment(490), moment(710), place(9))
READ = wait(12, op="cudaStreamSynchronize", mechanism="unknown", via="")
OF_BACKWARD = wait(9, op="cudaStreamSynchronize", mechanism="unknown", origin=Origin.BACKWARD, via="")
CALLS = Calls(
    [
        WatchedCall(MAIN, moment(-1), moment(13), 17, 18, place(8), None),
        WatchedCall(MAIN, moment(95), moment(405), 18, 18, place(12), None),
    ]
)


@pytest.fixture(params=TRACES)
def trace(request: pytest.FixtureRequest, tmp_path: Path) -> Trace:
    """One of the traces, written to a file as the profiler does, and read."""
    written = json.dumps(TRACES[request.param]()).encode()
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress(written))
    return _read(path)


def test_three_calls_wait_each_within_its_operators(trace: Trace) -> None:
    assert has_cuda_events(trace.events)
    copy, read, indexed = waiting_calls(trace.events)
    # A copy into pageable memory and the synchronization behind it: one wait to the user.
    assert [call.name for call in (copy, read, indexed)] == ["cudaMemcpyAsync", *["cudaStreamSynchronize"] * 2]
    assert (read.thread, read.operators) == (MAIN, ("aten::item", "aten::_local_scalar_dense"))
    assert (indexed.thread, indexed.sequence) == (AUTOGRAD, 17)
    assert (read.end - read.start, indexed.end - indexed.start) == (270, 80)


def test_the_waits_are_measured_and_laid_to_their_lines(trace: Trace) -> None:
    announced = (
        Announcement(READ, MAIN, moment(401)),
        Announcement(OF_BACKWARD, MAIN, moment(705)),
    )
    read, indexed = measured_waits(trace, [WINDOW], announced, CALLS, [BACKWARD])
    assert (read.announced, read.wait.place, read.wait.mechanism) == (READ, place(12), "scalar-read")
    assert (indexed.announced, indexed.wait.forward) == (OF_BACKWARD, place(8))
    # With the copy, from 110 to 390. The device has nothing to do between 127 and 600.
    assert read.blocked == pytest.approx(280e-6) and indexed.blocked == pytest.approx(80e-6)
    assert read.idle == pytest.approx(473e-6)


def test_the_work_of_the_device_is_counted_and_nothing_of_it_is_lost(trace: Trace) -> None:
    assert records_of(trace.events, trace.base, [WINDOW]) == DeviceRecords(asked=3, lost=0)
    # 40 µs of the first kernel, 2 of the copy, 30 of the second kernel.
    assert busy_steps(trace.events, trace.base, [WINDOW]) == {2: pytest.approx(72e-6)}
    work = device_work(trace, [WINDOW], CALLS)
    assert sorted((one.kind, one.place.line, one.bytes) for one in work) == [
        ("copy", 12, 4),
        ("kernel", 0, 0),
        ("kernel", 8, 0),
    ]


def test_a_graph_is_one_launch_of_many_kernels_and_none_of_them_is_lost() -> None:
    launch = kineto_traces._event("cuda_runtime", "cudaGraphLaunch", 710, 720, MAIN, correlation=50)
    kernels = [
        kineto_traces._event("kernel", f"node {n}", 730 + 10 * n, 735 + 10 * n, 7, correlation=50) for n in range(3)
    ]
    events = [*step(), launch, *kernels]
    assert records_of(events, BEGAN, [WINDOW]) == DeviceRecords(asked=3, lost=0)
    assert busy_steps(events, BEGAN, [WINDOW]) == {2: pytest.approx(87e-6)}


def test_categories_that_begin_with_a_capital_are_those_of_releases_that_are_too_old() -> None:
    older = [one | {"cat": {"cuda_runtime": "Runtime", "kernel": "Kernel"}.get(one["cat"], "Memcpy")} for one in step()]
    assert not has_cuda_events(older)
