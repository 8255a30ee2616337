"""The simulated device with a clock: work takes time, and what waits for it really waits.

``torch.cuda._sleep`` keeps the pretended GPU busy, and every wait that the simulated device reports
holds the host until it is idle, warns as the sync debug mode would, and leaves a call in the
profiler's trace. With it the code that measures on CUDA runs as it is where there is no GPU.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.profiler import ProfilerActivity, record_function

from synclint.verify import cuda_survey, record_syncs, recording, simulated_device, trace
from synclint.verify.cases import Case
from synclint.verify.measurement import Measurement
from synclint.verify.programs import load_programs
from synclint.verify.survey import Survey

CYCLES_PER_SECOND = 1e9
RUNTIME_MARK = "runtime call: "
KERNEL_MARK = "queued work: "

# What torch's debug mode is documented not to see.
UNSEEN_BY_DEBUG_MODE = ("cudaDeviceSynchronize", "cudaEventSynchronize")


class PretendGpu:
    """Knows until when it is busy; times are seconds of ``time.perf_counter``."""

    def __init__(self) -> None:
        self.busy_until = 0.0
        self.debug_mode = 0
        # How much longer the work takes than the cycles say, as when a GPU lowers its clock.
        self.slowness = 1.0

    def sleep(self, cycles: int) -> None:
        now = time.perf_counter()
        begin = max(now, self.busy_until)
        length = cycles / CYCLES_PER_SECOND * self.slowness
        self.busy_until = begin + length
        with record_function(f"{KERNEL_MARK}{(begin - now) * 1e6}|{length * 1e6}"):
            pass

    def wait(self) -> None:
        while time.perf_counter() < self.busy_until:
            time.sleep(0.0001)

    def synchronize(self, device: object = None) -> None:
        self.publish("cudaDeviceSynchronize", "explicit", simulated=True)

    def set_debug_mode(self, mode: int | str) -> None:
        self.debug_mode = 1 if mode in (1, "warn") else 0

    def publish(self, op: str, mechanism: str, *, simulated: bool, certain: bool = True, **rest: object) -> None:
        if not certain:
            return
        call = op if op.startswith("cuda") else "cudaStreamSynchronize"
        if self.debug_mode and call not in UNSEEN_BY_DEBUG_MODE:
            warnings.warn("called a synchronizing CUDA operation", stacklevel=2)
        with record_function(RUNTIME_MARK + call):
            self.wait()


class PretendEvent:
    gpu: PretendGpu

    def __init__(self, enable_timing: bool = False) -> None:
        self.at = 0.0

    def record(self) -> None:
        self.at = max(time.perf_counter(), self.gpu.busy_until)

    def query(self) -> bool:
        return time.perf_counter() >= self.at

    def wait(self, stream: object = None) -> None:
        """The stream waits, not the host."""

    def synchronize(self) -> None:
        self.gpu.publish("cudaEventSynchronize", "explicit", simulated=True)

    def elapsed_time(self, after: PretendEvent) -> float:
        return (after.at - self.at) * 1000


def _as_on_cuda(record: Callable[..., list[dict[str, Any]]]) -> Callable[..., list[dict[str, Any]]]:
    def record_trace(*arguments: object) -> list[dict[str, Any]]:
        events = record(*arguments, activities=[ProfilerActivity.CPU])
        for event in events:
            name = str(event.get("name", ""))
            if name.startswith(RUNTIME_MARK):
                event["name"] = name.removeprefix(RUNTIME_MARK)
                event["cat"] = "cuda_runtime"
            if name.startswith(KERNEL_MARK):
                delay, length = name.removeprefix(KERNEL_MARK).split("|")
                event.update(name="spin_kernel(long)", cat="kernel", dur=float(length))
                event["ts"] += float(delay)
        return events

    return record_trace


@contextmanager
def pretend_gpu() -> Iterator[PretendGpu]:
    """Within the block ``cuda:0`` is a pretended GPU."""
    gpu = PretendGpu()
    event = type("Event", (PretendEvent,), {"gpu": gpu})
    # The simulated device tells of waits only while somebody records.
    with simulated_device(), record_syncs(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.cuda, "_sleep", gpu.sleep)
        patch.setattr(torch.cuda, "synchronize", gpu.synchronize)
        patch.setattr(torch.cuda, "Event", event)
        patch.setattr(torch.cuda, "set_sync_debug_mode", gpu.set_debug_mode)
        patch.setattr(torch.cuda, "get_sync_debug_mode", lambda: gpu.debug_mode)
        patch.setattr(recording, "publish", gpu.publish)
        patch.setattr(cuda_survey, "record_trace", _as_on_cuda(trace.record_trace))
        yield gpu


def measure_case(case: Case, trace_path: Path | None = None) -> Measurement:
    """What the CUDA survey measures of a case."""
    measured = Measurement()

    def keep(record: object) -> None:
        nonlocal measured
        measured = measured.with_record(record)

    survey = Survey(keep, lambda stage: None, torch.cuda.synchronize, cuda_survey.recover)
    ruler = cuda_survey.Ruler(CYCLES_PER_SECOND)
    cuda_survey.measure(survey, case, load_programs(case, torch.device("cuda", 0)), ruler, trace_path)
    return measured
