"""Run calls under ``torch.profiler`` and keep the trace that proves where the host waited."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch._C._profiler import _ExperimentalConfig
from torch.profiler import ProfilerActivity, profile, record_function, schedule

from synclint.verify.chrome_trace import range_name
from synclint.verify.line_hook import observing_lines
from synclint.verify.measurement import Side
from synclint.verify.programs import Program


@dataclass
class _LineRanges:
    """An observer that opens a profiler range for every line, nested as the lines are."""

    side: Side
    function: str
    queue_work: Callable[[], object]
    open: list[Any]

    def enter(self, line: int) -> None:
        """Put work before the device, then open the range of ``line``."""
        self.queue_work()
        opened = record_function(range_name(self.side, self.function, line))
        opened.__enter__()
        self.open.append(opened)

    def leave(self, line: int) -> None:
        """Close the range of ``line``, which is the innermost."""
        self.open.pop().__exit__(None, None, None)


def call_in_ranges(
    program: Program, function: str, run: Callable[[], object], queue_work: Callable[[], object]
) -> None:
    """Run the call within a range of its own and one per line, each begun with work queued."""
    observer = _LineRanges(program.side, function, queue_work, [])
    with (
        record_function(range_name(program.side, function)),
        observing_lines(program.filename, program.starts, observer),
    ):
        run()


def record_trace(
    programs: Sequence[Program],
    seed: int,
    queue_work: Callable[[], object],
    drain: Callable[[], None],
    path: Path,
    activities: Sequence[ProfilerActivity] = (ProfilerActivity.CPU, ProfilerActivity.CUDA),
) -> list[dict[str, Any]]:
    """Profile one call of every function, after one of each to warm the profiler up; the trace's events.

    The device is drained between calls, outside their ranges; ``queue_work`` is asked before every line
    to keep work queued, so that a line that waits is seen to. The gzipped
    Chrome trace is left at ``path``, which ends in ``.json.gz``. It holds no stacks, which would be nine tenths of it:
    the ranges say which line ran.
    """

    def call_all() -> None:
        for program in programs:
            for function in program.functions:
                run = program.prepare(function, seed)
                drain()
                call_in_ranges(program, function, run, queue_work)
                drain()

    def keep(finished: profile) -> None:
        # Releases differ in whether they compress by the name's ending; a plain export never does.
        plain = path.with_suffix("")
        finished.export_chrome_trace(str(plain))
        path.write_bytes(gzip.compress(plain.read_bytes()))
        with suppress(OSError):
            plain.unlink()

    with profile(
        activities=list(activities),
        # Waits of libraries that call the driver show in these events alone.
        experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True),
        schedule=schedule(wait=0, warmup=1, active=1, repeat=1),
        on_trace_ready=keep,
    ) as profiler:
        call_all()
        profiler.step()
        call_all()
        profiler.step()
    return read_trace(path)


def read_trace(path: Path) -> list[dict[str, Any]]:
    """The events of a gzipped Chrome trace."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        events: list[dict[str, Any]] = json.load(stream)["traceEvents"]
    return events
