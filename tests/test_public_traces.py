"""What hardware wrote: events from ten public traces of GPUs, with what was counted in them by hand.

The events, with kernels' names shortened, are from traces of several releases of PyTorch and CUDA, from 2022 to 2024,
which the project HolisticTraceAnalysis publishes in ``tests/data`` (commit f4d0062c, MIT License, Copyright (c) Meta
Platforms, Inc. and affiliates): of each kind of call the first one, and what the device did for it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synclint.trace.device_records import DeviceRecords, records_of
from synclint.trace.recorders import Window
from synclint.verify.chrome_trace import has_cuda_events, waiting_calls

FILE = Path(__file__).parent / "traces" / "public.json"
TRACES = json.loads(FILE.read_text(encoding="utf-8"))
# What waits, in the order of time; how many calls asked the device for work, and of how many there is no record.
COUNTED: dict[str, tuple[tuple[str, ...], int, int]] = {
    # Work for the first upload is not there yet, and the cudaFree of six seconds has no work before it.
    "critical_path/alexnet/benchmark_result_2869224_1695835535_trace.json.gz": (
        ("cudaStreamSynchronize", "cudaDeviceSynchronize"), 2, 0,
    ),
    # A read of one byte, an event that is waited for, and one that is only asked, with a record like the other's.
    "critical_path/cuda_event_sync/event_sync_trace.json.gz": (
        ("cudaMemcpyAsync", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaDeviceSynchronize"), 2, 0,
    ),
    # A stream waits for another one, the host does not.
    "critical_path/cuda_event_sync_multi_stream/event_sync_trace.json.gz": (("cudaDeviceSynchronize",), 1, 0),
    "trace_compare/base/base.json.gz": (("cudaDeviceSynchronize",), 1, 0),
    # CUPTI measured kernels instead of recording them; a plain cudaMemcpy may be one within the host.
    "cupti_profiler/benchmark_result_924719_1679055439_trace.json.gz": (
        ("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaMemcpy"), 2, 2,
    ),
    "execution_trace/benchmark_simple_add_trace.json.gz": (("cudaDeviceSynchronize",), 1, 0),
    # Times have fractions of microseconds.
    "ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz": (("cudaDeviceSynchronize",), 2, 0),
    # An upload of pinned memory does not wait; the fourth of several devices.
    "trace_diff/control/control.json.gz": (
        ("cudaMemcpyAsync", "cudaStreamSynchronize", "cudaDeviceSynchronize"), 4, 0,
    ),
    # A read of one byte; an upload of one kilobyte from pageable memory, which is staged.
    "timeline_analysis/sampled_rank-0.json.gz": (("cudaMemcpyAsync",), 5, 0),
    # The driver launches, and times count from a base.
    "triton_example/triton_example.json.gz": (("cudaDeviceSynchronize",), 1, 0),
}  # fmt: skip


def test_all_traces_have_been_counted() -> None:
    assert COUNTED.keys() == TRACES.keys()


@pytest.mark.parametrize("name", COUNTED)
def test_what_waits_on_hardware_is_what_was_counted(name: str) -> None:
    events = TRACES[name]["traceEvents"]
    assert has_cuda_events(events)
    assert tuple(call.name for call in waiting_calls(events)) == COUNTED[name][0]


@pytest.mark.parametrize("name", COUNTED)
def test_work_without_a_record_is_missed(name: str) -> None:
    base = TRACES[name].get("baseTimeNanoseconds", 0)
    asked, lost = COUNTED[name][1:]
    found = records_of(TRACES[name]["traceEvents"], base, [Window(0, 0, 2**63)])
    assert found == DeviceRecords(asked, lost)
