"""Reading a Kineto trace: events as CUPTI and the profiler write them, made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from synclint.verify.chrome_trace import full_queues, has_cuda_events, range_name, ranges, timelines, waits
from synclint.verify.measurement import Side


def event(cat: str, name: str, start: float, length: float, **more: object) -> dict[str, Any]:
    return {"ph": "X", "cat": cat, "name": name, "ts": start, "dur": length, "tid": 1, **more}


def lines(side: Side, *spans: tuple[int, float, float]) -> list[dict[str, Any]]:
    first, last = spans[0][1], max(end for _, _, end in spans)
    call = event("user_annotation", range_name(side, "case"), first, last - first)
    return [
        call,
        *(event("user_annotation", range_name(side, "case", n), a, b - a) for n, a, b in spans),
    ]


def runtime(name: str, start: float, length: float, correlation: int = 0, tid: int = 1) -> dict[str, Any]:
    return event("cuda_runtime", name, start, length, args={"correlation": correlation}) | {"tid": tid}


def memcpy(name: str, correlation: int) -> dict[str, Any]:
    return event("gpu_memcpy", name, 0.0, 1.0, args={"correlation": correlation}) | {"tid": 7}


LINES = lines(Side.HAZARD, (1, 0, 100), (2, 100, 6000), (3, 6000, 6100))


def seen(*events: dict[str, Any]) -> list[tuple[int, str]]:
    return [(wait.line, wait.what) for wait in waits([*LINES, *events], Side.HAZARD)]


@pytest.mark.parametrize(
    "name",
    [
        "cudaStreamSynchronize",
        "cudaDeviceSynchronize",
        "cudaEventSynchronize",
        "cudaMemcpy",
        "cudaStreamSynchronize_v3020",
        "cudaStreamSynchronize_ptsz_v7000",
    ],
)
def test_a_synchronization_waits(name: str) -> None:
    assert [line for line, _ in seen(runtime(name, 200, 5000))] == [2]


@pytest.mark.parametrize(
    "name",
    [
        "cudaLaunchKernel",
        "cudaStreamWaitEvent",
        "cudaEventRecord",
        "cudaEventQuery",
        "cudaMemcpyAsync",
        "cudaFree",
    ],
)
def test_other_calls_do_not_wait_when_they_return_at_once(name: str) -> None:
    assert seen(runtime(name, 200, 5)) == []


def queued(until: float, correlation: int = 900) -> list[dict[str, Any]]:
    """A kernel that was asked for before the line and keeps its stream busy."""
    launch = runtime("cudaLaunchKernel", 110, 5, correlation)
    work = event("kernel", "spin_kernel(long)", 120, until - 120, args={"correlation": correlation, "stream": 7})
    return [launch, work]


MAY_WAIT = ["cudaFree", "cudaMemcpyAsync", "cudaFreeHost"]


@pytest.mark.parametrize("name", MAY_WAIT)
def test_copies_and_frees_wait_when_they_end_with_the_queued_work(name: str) -> None:
    assert seen(*queued(until=5000), runtime(name, 200, 4830)) == [(2, name)]


@pytest.mark.parametrize("name", ["cudaMalloc", "cudaHostAlloc", "cudaHostRegister", "cudaLaunchKernel"])
def test_an_allocation_or_a_launch_is_no_wait_of_the_line_however_long_it_is_held(name: str) -> None:
    assert seen(*queued(until=5000), runtime(name, 200, 4830)) == []


def test_what_another_thread_frees_or_copies_meanwhile_is_no_wait_of_the_line() -> None:
    pinning = {**runtime("cudaFreeHost", 200, 4830), "tid": 2}
    assert seen(*queued(until=5000), pinning) == []


def test_a_wait_of_autograds_threads_is_one_of_the_line_that_starts_the_backward_pass() -> None:
    node = event("cpu_op", "autograd::engine::evaluate_function: IndexBackward0", 190, 5000, tid=2)
    freeing = {**runtime("cudaFree", 200, 4830), "tid": 2}
    assert [line for line, _ in seen(*queued(until=5000), node, freeing)] == [2]


def test_a_line_that_fills_the_queue_of_launches_is_known() -> None:
    launches = [runtime("cudaLaunchKernel", 101 + number, 0.5, number) for number in range(1000)]
    trace = [*LINES, *launches]
    assert full_queues(trace, Side.HAZARD) == {("case", 2)}
    assert full_queues(trace[:-1], Side.HAZARD) == frozenset()


@pytest.mark.parametrize("name", MAY_WAIT)
@pytest.mark.parametrize("length", [3000, 12000], ids=["ends before the work", "ends long after it"])
def test_a_call_that_is_slow_by_itself_does_not_wait(name: str, length: float) -> None:
    assert seen(*queued(until=5000), runtime(name, 200, length)) == []


@pytest.mark.parametrize("name", MAY_WAIT)
def test_a_slow_call_with_nothing_queued_does_not_wait(name: str) -> None:
    assert seen(runtime(name, 200, 5000)) == []
    assert seen(*queued(until=260), runtime(name, 200, 5000)) == []


def test_work_that_is_asked_for_later_holds_nobody() -> None:
    later = runtime("cudaLaunchKernel", 3000, 5, 901)
    work = event("kernel", "late", 3100, 1900, args={"correlation": 901, "stream": 7})
    assert seen(later, work, runtime("cudaFree", 200, 4800)) == []


def test_a_launch_that_loads_its_kernel_is_slow_without_waiting() -> None:
    assert seen(runtime("cudaLaunchKernel", 200, 5000)) == []


def test_a_copy_into_pageable_memory_waits() -> None:
    copy = "Memcpy DtoH (Device -> Pageable)"
    assert seen(runtime("cudaMemcpyAsync", 200, 5, 42), memcpy(copy, 42)) == [(2, f"cudaMemcpyAsync, {copy}")]


def test_a_copy_into_pinned_memory_does_not_wait_by_itself() -> None:
    assert seen(runtime("cudaMemcpyAsync", 200, 5, 42), memcpy("Memcpy DtoH (Device -> Pinned)", 42)) == []


def upload(until: float, stream: int = 7) -> dict[str, Any]:
    name = "Memcpy HtoD (Pageable -> Device)"
    return event("gpu_memcpy", name, until - 800, 800, args={"correlation": 42, "stream": stream})


def test_a_copy_from_pageable_memory_waits_when_it_ends_with_itself_behind_the_queued_work() -> None:
    call = runtime("cudaMemcpyAsync", 200, 5600, 42)
    what = "cudaMemcpyAsync, Memcpy HtoD (Pageable -> Device)"
    assert seen(*queued(until=5000), call, upload(until=5800)) == [(2, what)]


def test_a_copy_from_pageable_memory_that_is_staged_does_not_wait() -> None:
    assert seen(*queued(until=5000), runtime("cudaMemcpyAsync", 200, 5, 42), upload(until=5800)) == []


def test_a_long_copy_behind_the_work_of_another_stream_does_not_wait() -> None:
    call = runtime("cudaMemcpyAsync", 200, 4830, 42)
    assert seen(*queued(until=5000), call, upload(until=5020, stream=20)) == []


def sync(name: str, correlation: int) -> dict[str, Any]:
    return event("cuda_sync", name, 200, 4800, args={"correlation": correlation, "stream": 7})


def test_a_synchronization_through_the_driver_shows_in_its_sync_event_alone() -> None:
    assert seen(sync("Stream Sync", 77)) == [(2, "Stream Sync through the driver")]


def test_a_sync_event_of_a_call_that_is_known_is_not_counted_twice() -> None:
    call = runtime("cudaStreamSynchronize", 200, 4800, 77)
    assert seen(call, sync("Stream Sync", 77)) == [(2, "cudaStreamSynchronize")]


@pytest.mark.parametrize("name", ["cudaEventQuery", "cudaEventQuery_v3020", "cudaStreamWaitEvent"])
def test_the_sync_events_of_calls_that_only_ask_are_no_waits(name: str) -> None:
    assert seen(runtime(name, 200, 5, 77), sync("Event Sync", 77)) == []


def test_a_stream_that_waits_for_an_event_does_not_hold_the_host() -> None:
    assert seen(sync("Stream Wait Event", 77)) == []


def test_a_trace_of_rocm_holds_no_cuda_events() -> None:
    assert not has_cuda_events([runtime("hipStreamSynchronize", 0, 1), runtime("hipLaunchKernel", 0, 1)])


def test_the_operator_around_the_call_is_named() -> None:
    operators = [
        event("cpu_op", "aten::nonzero", 150, 5500),
        event("cpu_op", "aten::copy_", 190, 5200),
        event("cpu_op", "aten::add", 100, 20),
    ]
    assert seen(runtime("cudaStreamSynchronize", 200, 5000), *operators) == [
        (2, "cudaStreamSynchronize in aten::copy_")
    ]


def test_a_wait_on_autograds_thread_belongs_to_the_line_that_runs_meanwhile() -> None:
    assert [line for line, _ in seen(runtime("cudaStreamSynchronize", 200, 5000, tid=99))] == [2]


def test_the_middle_of_a_call_decides_where_clocks_differ_a_little() -> None:
    assert [line for line, _ in seen(runtime("cudaStreamSynchronize", 98, 5000))] == [2]


def test_a_helpers_line_is_preferred_to_the_line_that_calls_it() -> None:
    helper = event("user_annotation", range_name(Side.HAZARD, "case", 40), 150, 5500)
    assert [line for line, _ in seen(helper, runtime("cudaStreamSynchronize", 200, 5000))] == [40]


def test_waits_outside_the_ranges_are_nobodys() -> None:
    assert seen(runtime("cudaDeviceSynchronize", 7000, 50)) == []


def test_waits_of_the_other_side_are_not_counted() -> None:
    events = [*lines(Side.TWIN, (5, 10000, 16000)), runtime("cudaStreamSynchronize", 10100, 5000)]
    assert seen(*events) == []
    assert [wait.line for wait in waits([*LINES, *events], Side.TWIN)] == [5]


def test_the_wait_is_reported_in_seconds() -> None:
    (wait,) = waits([*LINES, runtime("cudaStreamSynchronize", 200, 5000)], Side.HAZARD)
    assert wait.seconds == pytest.approx(0.005)


def test_a_trace_of_the_host_alone_holds_no_cuda_events() -> None:
    assert not has_cuda_events([*LINES, event("cpu_op", "aten::add", 0, 1)])
    assert has_cuda_events([runtime("cudaLaunchKernel", 0, 1)])


def test_other_peoples_ranges_are_not_ours() -> None:
    events = [event("user_annotation", "ProfilerStep#1", 0, 9), event("user_annotation", "a|b|c", 0, 9)]
    assert ranges(events) == []


def test_work_launched_after_a_call_is_not_in_its_timeline() -> None:
    launch = runtime("cudaLaunchKernel", 50, 5, correlation=1)
    later = runtime("cudaLaunchKernel", 6500, 5, correlation=2)
    kernels = [
        event("kernel", "mine", 6300, 10, args={"correlation": 1}),
        event("kernel", "the next call's inputs", 6600, 10, args={"correlation": 2}),
    ]
    (drawn,) = timelines([*LINES, launch, later, *kernels])
    assert [bar.label for bar in drawn.device] == ["mine"]


def test_a_timeline_counts_from_the_call_and_shows_the_device() -> None:
    kernels = [
        event("kernel", "at::cuda::(anonymous namespace)::spin_kernel(long)", 20, 5000),
        event("kernel", "nonzero_kernel", 5020, 30),
    ]
    shifted = [
        {**known, "ts": known["ts"] + 1e6} for known in [*LINES, runtime("cudaStreamSynchronize", 200, 4850), *kernels]
    ]
    (drawn,) = timelines(shifted)
    assert [(bar.kind, bar.line) for bar in drawn.host] == [
        ("line", 1),
        ("line", 2),
        ("line", 3),
        ("wait", 0),
    ]
    assert drawn.host[1].start == pytest.approx(100)
    assert [(bar.kind, bar.start) for bar in drawn.device] == [("queued", 20), ("kernel", 5020)]
