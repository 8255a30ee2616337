"""Reading a Kineto trace: events as CUPTI and the profiler write them, made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from synclint.verify.chrome_trace import has_cuda_events, range_name, ranges, timelines, waits
from synclint.verify.measurement import Side

HELD = 1250.0


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
    return [(wait.line, wait.what) for wait in waits([*LINES, *events], Side.HAZARD, HELD)]


@pytest.mark.parametrize(
    "name",
    [
        "cudaStreamSynchronize",
        "cudaDeviceSynchronize",
        "cudaEventSynchronize",
        "cudaMemcpy",
        "cuCtxSynchronize",
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
        "cudaMalloc",
        "cudaFree",
    ],
)
def test_other_calls_do_not_wait_when_they_return_at_once(name: str) -> None:
    assert seen(runtime(name, 200, 5)) == []


@pytest.mark.parametrize(
    "name", ["cudaFree", "cudaMalloc", "cudaHostAlloc", "cudaMemcpyAsync", "cudaFreeHost"]
)
def test_copies_allocations_and_frees_wait_when_queued_work_held_them(name: str) -> None:
    assert seen(runtime(name, 200, 5000)) == [(2, name)]


def test_a_launch_that_loads_its_kernel_is_slow_without_waiting() -> None:
    assert seen(runtime("cudaLaunchKernel", 200, 5000)) == []


def test_a_copy_into_pageable_memory_waits() -> None:
    copy = "Memcpy DtoH (Device -> Pageable)"
    assert seen(runtime("cudaMemcpyAsync", 200, 5, 42), memcpy(copy, 42)) == [(2, f"cudaMemcpyAsync, {copy}")]


def test_a_copy_into_pinned_memory_does_not_wait_by_itself() -> None:
    assert seen(runtime("cudaMemcpyAsync", 200, 5, 42), memcpy("Memcpy DtoH (Device -> Pinned)", 42)) == []


def test_a_copy_from_pageable_memory_waits_only_when_it_was_held() -> None:
    copy = "Memcpy HtoD (Pageable -> Device)"
    assert seen(runtime("cudaMemcpyAsync", 200, 5, 42), memcpy(copy, 42)) == []
    assert seen(runtime("cudaMemcpyAsync", 200, 5000, 42), memcpy(copy, 42)) == [
        (2, f"cudaMemcpyAsync, {copy}")
    ]


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
    assert [wait.line for wait in waits([*LINES, *events], Side.TWIN, HELD)] == [5]


def test_the_wait_is_reported_in_seconds() -> None:
    (wait,) = waits([*LINES, runtime("cudaStreamSynchronize", 200, 5000)], Side.HAZARD, HELD)
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
    (drawn,) = timelines([*LINES, launch, later, *kernels], HELD)
    assert [bar.label for bar in drawn.device] == ["mine"]


def test_a_timeline_counts_from_the_call_and_shows_the_device() -> None:
    kernels = [
        event("kernel", "at::cuda::(anonymous namespace)::spin_kernel(long)", 20, 5000),
        event("kernel", "nonzero_kernel", 5020, 30),
    ]
    shifted = [
        {**known, "ts": known["ts"] + 1e6}
        for known in [*LINES, runtime("cudaStreamSynchronize", 200, 4850), *kernels]
    ]
    (drawn,) = timelines(shifted, HELD)
    assert [(bar.kind, bar.line) for bar in drawn.host] == [
        ("line", 1),
        ("line", 2),
        ("line", 3),
        ("wait", 0),
    ]
    assert drawn.host[1].start == pytest.approx(100)
    assert [(bar.kind, bar.start) for bar in drawn.device] == [("queued", 20), ("kernel", 5020)]
