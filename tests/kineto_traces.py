"""One step as Kineto writes it, in the manner of different releases and programs.

The traces are made up. What differs from one to the next is what differs between the public traces of GPUs: how times
are written and what they count from, what numbers are missing, and which other records stand between those of the step.

The step, in microseconds: 0-10 a launch of 40 µs of work, which begins at 20; 100-400 a read of one number, that is a
copy into pageable memory behind that work and the synchronization for it, from 120 to 390; 500-700 a backward pass on
another thread, in which an index of the forward pass waits from 560 to 640 for a kernel from 600 to 630.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Events = list[dict[str, Any]]

PROCESS, MAIN, AUTOGRAD, STREAM = 4242, 4242, 4299, 7
# When the profiler began, in nanoseconds since 1970: a number of microseconds that a double holds to an eighth.
BEGAN = 1_717_171_717_000_000_000
LENGTH = 1_000


def _event(category: str, name: str, start: float, end: float, thread: object, **arguments: object) -> dict[str, Any]:
    return {
        "ph": "X", "cat": category, "name": name, "pid": PROCESS, "tid": thread, "ts": start, "dur": end - start,
        "args": arguments,
    }  # fmt: skip


def step() -> Events:
    """The step without anything that is special."""
    forward = {"Sequence number": 17, "Fwd thread id": 1, "External id": 9}
    return [
        _event("cpu_op", "aten::mul", 0, 12, MAIN, **{"External id": 1, "Sequence number": 17, "Fwd thread id": 0}),
        _event("cuda_runtime", "cudaLaunchKernel", 0, 10, MAIN, correlation=1, cbid=211),
        _event("kernel", "void at::native::elementwise_kernel", 20, 60, STREAM, correlation=1, stream=STREAM),
        _event("cpu_op", "aten::item", 100, 400, MAIN, **{"External id": 3}),
        _event("cpu_op", "aten::_local_scalar_dense", 105, 398, MAIN, **{"External id": 4}),
        _event("cuda_runtime", "cudaMemcpyAsync", 110, 120, MAIN, correlation=2, cbid=41),
        _event("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 125, 127, STREAM, correlation=2, bytes=4),
        _event("cuda_runtime", "cudaStreamSynchronize", 120, 390, MAIN, correlation=3, cbid=131),
        _event("cpu_op", "autograd::engine::evaluate_function: IndexBackward0", 500, 700, AUTOGRAD, **forward),
        _event("cpu_op", "IndexBackward0", 505, 695, AUTOGRAD, **forward),
        _event("cpu_op", "aten::nonzero", 510, 690, AUTOGRAD, **{"External id": 10}),
        _event("cuda_runtime", "cudaLaunchKernel", 540, 550, AUTOGRAD, correlation=4, cbid=211),
        _event("kernel", "void cub::DeviceSelectSweepKernel", 600, 630, STREAM, correlation=4, stream=STREAM),
        _event("cuda_runtime", "cudaStreamSynchronize", 560, 640, AUTOGRAD, correlation=5, cbid=131),
    ]  # fmt: skip


def _relative(events: Events) -> dict[str, Any]:
    """Since torch 2.4: microseconds with fractions, from a base of their own."""
    return {"baseTimeNanoseconds": BEGAN, "displayTimeUnit": "ms", "traceEvents": events}


def _since_1970(events: Events, number: Callable[[float], object]) -> dict[str, Any]:
    return {"traceEvents": [one | {"ts": number(one["ts"] + BEGAN / 1000)} for one in events]}


def _with_flows(events: Events) -> Events:
    """Arrows from launches to kernels and from forward to backward: they share ids and categories with nothing else."""
    arrows = [
        {"ph": end, "id": number, "pid": PROCESS, "tid": thread, "ts": at, "cat": category, "name": category, "bp": "e"}
        for category, number, ends in (
            ("ac2g", 1, (("s", MAIN, 0), ("f", STREAM, 20))),
            ("ac2g", 4, (("s", AUTOGRAD, 540), ("f", STREAM, 600))),
            ("fwdbwd", 17, (("s", MAIN, 0), ("f", AUTOGRAD, 505))),
        )
        for end, thread, at in ends
    ]
    return [*events, *arrows]


def _with_names(events: Events) -> Events:
    """What describes threads, spans whose process and thread are texts, instants, and no arguments at all."""
    return [
        {"ph": "M", "name": "process_name", "pid": PROCESS, "tid": 0, "ts": 0, "args": {"name": "python"}},
        {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 0,
         "dur": LENGTH, "args": {"Op count": 0}},
        {"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": LENGTH},
        {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": PROCESS, "tid": MAIN, "ts": 3,
         "args": {"Bytes": 512}},
        {"ph": "X", "cat": "python_function", "name": "train.py(3): step", "pid": PROCESS, "tid": MAIN, "ts": 0},
        *events,
    ]  # fmt: skip


def _with_annotations(events: Events) -> Events:
    """Ranges of the host that are drawn on the device's side, too, where they are no work."""
    ranges = [("user_annotation", MAIN), ("gpu_user_annotation", STREAM)]
    return [*(_event(category, "ProfilerStep#2", 0, LENGTH, thread) for category, thread in ranges), *events]


def _with_overhead(events: Events) -> Events:
    """What the profiler itself took, on threads that are none, and the loading of kernels."""
    return [
        *events,
        _event("overhead", "Activity Buffer Request", 1, 9, -1),
        _event("overhead", "Lazy Function Loading", 130, 380, MAIN),
        _event("cuda_runtime", "cudaFuncGetAttributes", 541, 542, AUTOGRAD, correlation=21, cbid=15),
        _event("cuda_runtime", "cudaOccupancyMaxActiveBlocksPerMultiprocessor", 543, 544, AUTOGRAD, correlation=22),
    ]


def _with_sync_events(events: Events) -> Events:
    """Records of synchronization: of the calls that are there, and of streams that wait for each other."""
    other = {"stream": 20, "correlation": 31, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": -1}
    return [
        *events,
        _event("cuda_runtime", "cudaStreamWaitEvent", 13, 14, MAIN, correlation=31, cbid=147),
        _event("cuda_sync", "Stream Wait Event", 13, 60, 20, **other),
        _event("cuda_runtime", "cudaEventQuery", 15, 16, MAIN, correlation=32, cbid=136),
        _event("cuda_sync", "Event Sync", 15, 16, -1, correlation=32),
        _event("cuda_sync", "Stream Sync", 121, 389, STREAM, correlation=3, stream=STREAM),
    ]


def _with_driver(events: Events) -> Events:
    """A launch by way of the driver, as Triton's, and names that carry a version and the mark of a stream's mode."""
    renamed = {
        "cudaLaunchKernel": ("cuda_driver", "cuLaunchKernel"),
        "cudaStreamSynchronize": ("cuda_runtime", "cudaStreamSynchronize_ptsz_v7000"),
        "cudaMemcpyAsync": ("cuda_runtime", "cudaMemcpyAsync_v3020"),
    }
    return [
        one | dict(zip(("cat", "name"), renamed[one["name"]], strict=True)) if one["name"] in renamed else one
        for one in events
    ]


def _with_strays(events: Events) -> Events:
    """Work whose launch came before the profiler did, and work and calls without a number, in an earlier step."""
    return [
        _event("kernel", "of an earlier launch", -60, -20, STREAM, correlation=99, stream=STREAM),
        {"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": STREAM, "ts": -15, "dur": 2},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamIsCapturing", "pid": PROCESS, "tid": MAIN, "ts": 2},
        *events,
    ]


def _in_another_order(events: Events) -> Events:
    """The device's records before the host's, and later ones first."""
    return sorted(events, key=lambda one: (one["cat"] == "cpu_op", -one["ts"]))


TRACES: dict[str, Callable[[], dict[str, Any]]] = {
    "plain": lambda: _relative(step()),
    "whole microseconds since 1970": lambda: _since_1970(step(), round),
    "microseconds with fractions since 1970": lambda: _since_1970(step(), float),
    "flows": lambda: _relative(_with_flows(step())),
    "names": lambda: _relative(_with_names(step())),
    "annotations": lambda: _relative(_with_annotations(step())),
    "overhead": lambda: _relative(_with_overhead(step())),
    "sync events": lambda: _relative(_with_sync_events(step())),
    "driver": lambda: _relative(_with_driver(step())),
    "strays": lambda: _relative(_with_strays(step())),
    "another order": lambda: _relative(_in_another_order(step())),
    "everything": lambda: _relative(
        _with_flows(_with_names(_with_annotations(_with_overhead(_with_sync_events(_with_strays(step()))))))
    ),
}
