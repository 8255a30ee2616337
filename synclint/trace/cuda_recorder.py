"""A CUDA device as a recorder: our own recording says which lines wait, the profiler for how long.

Nothing here asks CUDA anything before the program does: a process that has asked cannot fork workers that use it, and
the program may still choose its devices.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import torch
from torch._C._profiler import _ExperimentalConfig
from torch.autograd.profiler import profile as autograd_profile
from torch.profiler import ProfilerAction, ProfilerActivity, profile, schedule, tensorboard_trace_handler

from synclint.trace.call_watch import CallWatch
from synclint.trace.device_records import DeviceRecords, busy_steps, joined_records, records_of, span
from synclint.trace.device_side import Announcement, Trace, device_work, measured_waits
from synclint.trace.kineto_log import quiet_beginning, quiet_kineto
from synclint.trace.observation import observed
from synclint.trace.ownership import Ownership
from synclint.trace.recorders import NEVER_USED, Interval, Measured, RecorderUnavailableError, Take, Window
from synclint.trace.records import Device, Schedule
from synclint.trace.settings import Settings
from synclint.verify.cuda_recording import unheard
from synclint.verify.recording import SyncRecord, hearing_syncs, renew_cuda_recording

_NO_STEP = (
    "no step was profiled, so there are no times: a step is a call of `optimizer.step()` or of "
    "`report.step()`, and {wanted} of them come first (--skip-first, --wait, --warmup)"
)
_NO_DEVICE_EVENTS = "the profiler saw only the host's side, so there are no times; CUPTI may not be permitted here"
_YIELDED = (
    "the program uses PyTorch's profiler itself, and only one can be active at a time: from then on there are no times"
)
_ON_ANOTHER_THREAD = (
    "the steps run on a thread of their own, which PyTorch's profiler cannot be started on, so there are no times"
)
# Of the records of the device's work: where more are missing, nobody knows when it was idle.
_MOST_LOST = 0.01
_RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class CudaRecorder:
    """Notices waits from the moment on in which the program first uses CUDA."""

    device = Device.CUDA

    def __init__(self, settings: Settings, ownership: Ownership) -> None:
        self._settings = settings
        self._ownership = ownership
        self._stack = ExitStack()
        self._quiet = self._stack.enter_context(ExitStack())
        self._take: Take | None = None
        self._profile: profile | None = None
        self._number = 0
        self._since = 0
        self._began = 0
        self._traces: list[Path] = []
        self._announced: list[Announcement] = []
        self._windows: list[Window] = []
        self._calls = CallWatch(ownership)
        self._ours: int | None = None
        self._began_at_all = False
        self._yielded = False
        self._stepped_elsewhere = False
        self._pid = os.getpid()

    @property
    def is_profiling(self) -> bool:
        """Whether the step that runs is recorded by the profiler."""
        return self._profile is not None and self._profile.current_action in _RECORDING

    def start(self, take: Take) -> None:
        """Begin as soon as the program uses CUDA. Raises RecorderUnavailableError."""
        if torch.version.cuda is None:
            raise RecorderUnavailableError(
                "this PyTorch was built without CUDA; `--device sim` counts waits on a simulated device"
            )
        self._take = take
        self._folder = Path(tempfile.mkdtemp(prefix="synclint-trace-"))
        torch.cuda._lazy_call(self._begin)

    def device_name(self) -> str:
        """The GPU's name, if the program used it."""
        return torch.cuda.get_device_name() if torch.cuda.is_initialized() else "a CUDA device"

    def step(self, number: int) -> None:
        """Let the profiler know; what it does meanwhile is no wait of the program."""
        self._number = number
        if not _is_main_thread():
            self._stepped_elsewhere = self._stepped_elsewhere or number > 0
            return
        if self._profile is None:
            if self._began_at_all and not self._yielded:
                self._start_profile()
            return
        if self.is_profiling:
            self._windows.append(Window(number - 1, self._began, time.time_ns()))
            self._calls.off()
        elif torch.autograd._profiler_enabled():
            # The program's was there first.
            self._yield_to_program()
            return
        with self._our_own():
            renew_cuda_recording()
            self._profile.step()
        if self.is_profiling:
            self._calls.on()
        self._began = time.time_ns()

    def stop(self) -> None:
        """Stop the profiler, which writes what it has, and the recording."""
        self._calls.off()
        with self._our_own(), self._stack:
            # The thread that has started it alone can stop it.
            if self._profile is not None and _is_main_thread():
                renew_cuda_recording()
                self._profile.stop()

    def measured(self, intervals: Sequence[Interval]) -> Measured:
        """What the traces say; they are removed."""
        try:
            return self._measured(intervals)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _begin(self) -> None:
        """The program has just made CUDA ready; a process that it forked off before is not ours to record."""
        if self._take is None or self._began_at_all or os.getpid() != self._pid:
            return
        self._began_at_all = True
        self._stack.enter_context(hearing_syncs(self._heard))
        if _is_main_thread():
            self._start_profile()

    def _start_profile(self) -> None:
        """Start the profiler, on the thread that has imported PyTorch: Kineto complains of any other."""
        if torch.autograd._profiler_enabled():
            # The program's was there first.
            self._yielded = True
            return
        self._quiet.enter_context(quiet_kineto())
        self._stack.enter_context(_before_other_profilers(self._yield_to_program))
        plan = self._settings.schedule
        since = self._since = self._number
        with self._our_own():
            planned = schedule(
                skip_first=plan.skip_first, wait=plan.wait, warmup=plan.warmup, active=plan.active, repeat=plan.repeat
            )
            self._profile = profile(
                activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                schedule=lambda number: planned(number + since),
                on_trace_ready=self._keep,
                record_shapes=self._settings.record_shapes,
                profile_memory=self._settings.profile_memory,
                # Waits of libraries that call the driver show in these events alone.
                experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True),
            )
            self._profile.start()
        if self.is_profiling:
            self._calls.on()
        self._began = time.time_ns()

    def _yield_to_program(self) -> None:
        """Stop our profiler, because the program begins to use one."""
        if self._ours == threading.get_ident() or self._profile is None or not _is_main_thread():
            return
        finished, self._profile = self._profile, None
        self._yielded = True
        self._calls.off()
        with self._our_own(), self._quiet:
            finished.stop()

    @contextmanager
    def _our_own(self) -> Iterator[None]:
        """What this thread does in the block is ours: it is no wait of the program, and warns nobody."""
        self._ours = threading.get_ident()
        try:
            with unheard(), _warned_again(), quiet_beginning():
                yield
        finally:
            self._ours = None

    def _heard(self, sync: SyncRecord) -> None:
        if self._take is None:
            return
        wait = observed(sync, self._ownership)
        if self.is_profiling:
            self._announced.append(Announcement(wait, threading.get_native_id(), time.time_ns()))
        self._take(wait)

    def _keep(self, finished: profile) -> None:
        """Export the trace once, which is as often as it can be: for TensorBoard where that was asked for."""
        if self._settings.tensorboard is not None:
            written = _Exported(finished)
            tensorboard_trace_handler(self._settings.tensorboard)(written)
            self._traces.extend(written.paths)
            return
        path = self._folder / f"{len(self._traces)}.json"
        finished.export_chrome_trace(str(path))
        self._traces.append(path)

    def _measured(self, intervals: Sequence[Interval]) -> Measured:
        traces = [_read(path) for path in self._traces]
        records = joined_records(records_of(trace.events, trace.base, self._windows) for trace in traces)
        tells_idle = records.lost_share <= _MOST_LOST
        notes = [*self._notes(traces), *_lost(records, tells_idle=tells_idle)]
        calls = self._calls.calls()
        return Measured(
            waits=tuple(
                wait
                for trace in traces
                for wait in measured_waits(trace, self._windows, self._announced, calls, intervals)
            ),
            work=tuple(work for trace in traces for work in device_work(trace, self._windows, calls)),
            windows=tuple(self._windows),
            notes=tuple(notes),
            busy=tuple(
                step for trace in traces for step in busy_steps(trace.events, trace.base, self._covered(trace)).items()
            ),
            tells_idle=tells_idle,
        )

    def _covered(self, trace: Trace) -> list[Window]:
        """The windows of which a trace has events: with `--repeat` there are several traces."""
        moments = [span(event, trace.base)[0] for event in trace.events if event.get("ph") == "X"]
        first, last = min(moments, default=0), max(moments, default=0)
        return [window for window in self._windows if window.end >= first and window.start <= last]

    def _notes(self, traces: list[Trace]) -> list[str]:
        if self._yielded:
            return [_YIELDED]
        if not self._began_at_all:
            return [NEVER_USED]
        if self._stepped_elsewhere and not self._windows:
            return [_ON_ANOTHER_THREAD]
        if not self._windows:
            return [_NO_STEP.format(wanted=_first_active(self._settings.schedule))]
        if not any(event.get("cat") == "cuda_runtime" for trace in traces for event in trace.events):
            return [_NO_DEVICE_EVENTS]
        return []


def _lost(records: DeviceRecords, *, tells_idle: bool) -> list[str]:
    """What the report says of records that are missing."""
    if not records.lost:
        return []
    share = f"{100 * records.lost_share:.2g} %"
    said = f"the profiler lost {records.lost} of {records.asked} records of the device's work ({share})"
    return [said if tells_idle else f"{said}, so nothing is said of when the device was idle"]


def _first_active(plan: Schedule) -> int:
    return plan.skip_first + plan.wait + plan.warmup


@contextmanager
def _before_other_profilers(call: Callable[[], None]) -> Iterator[None]:
    """Call before any profiler of this process gets ready."""
    original = autograd_profile._prepare_trace

    def preparing(self: object) -> object:
        call()
        return original(self)

    autograd_profile._prepare_trace = preparing
    try:
        yield
    finally:
        autograd_profile._prepare_trace = original


@contextmanager
def _warned_again() -> Iterator[None]:
    """Let PyTorch's profiler tell the program once more what it tells once, and has told us."""
    shown: set[str] = getattr(torch.profiler.profiler, "_WARNINGS_SHOWN", set())
    before = set(shown)
    try:
        yield
    finally:
        shown.intersection_update(before)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


class _Exported:
    """A profile for torch's own handler, which tells where it was written."""

    def __init__(self, finished: profile) -> None:
        self._finished = finished
        self.paths: list[Path] = []

    def export_chrome_trace(self, path: str, **options: bool) -> None:
        """Write it there."""
        self._finished.export_chrome_trace(path, **options)
        self.paths.append(Path(path))


def _read(path: Path) -> Trace:
    data = path.read_bytes()
    document: dict[str, Any] = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return Trace(document["traceEvents"], int(document.get("baseTimeNanoseconds", 0)))
