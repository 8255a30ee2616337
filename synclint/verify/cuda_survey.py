"""Measure a case on a CUDA device: three witnesses, equal results, and what the wait costs."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from synclint.verify import chrome_trace, cost, debug_mode
from synclint.verify.cases import Case
from synclint.verify.line_hook import observing_lines
from synclint.verify.measurement import LineTime, Side, Witness, WitnessReport
from synclint.verify.programs import Program
from synclint.verify.stopwatch import (
    AGREEING_RUNS,
    IDLE_RUNS,
    MOST_RUNS,
    SLEEP_SECONDS,
    IdleDevice,
    Segment,
    SegmentTimer,
    SleepQueue,
    cycles_per_second,
    judge,
    own_times,
    rescaled,
    stretch_of_run,
)
from synclint.verify.survey import Survey, compare_results, fresh_seed, warm_up
from synclint.verify.trace import record_trace

WARM_UP_CALLS = 2

# How often the witnesses that measure are asked again where they disagree.
_SECOND_OPINIONS = 2

# The stopwatch's runs of one function may take this long together before it gives up on those that disturb.
_STOPWATCH_SECONDS = 4.0

# With these the device works one step at a time, or frees at every step: everything would seem to wait.
_DISTORTING_VARIABLES = ("CUDA_LAUNCH_BLOCKING", "PYTORCH_NO_CUDA_MEMORY_CACHING")

_RAMP_UP_SECONDS = 0.5
_CALIBRATION_CYCLES = 5_000_000
_CALIBRATION_SLEEPS = 7


# What the stopwatch said last of the lines of each function.
_Held = dict[tuple[Side, str], tuple[LineTime, ...]]


@dataclass(frozen=True)
class Ruler:
    """The calibrated sleep; ``rate`` is its cycles per second."""

    rate: float

    def queue(self, seconds: float) -> None:
        """Queue work of ``seconds`` on the current stream."""
        torch.cuda._sleep(int(seconds * self.rate))


class TimedSleeps:
    """Sleeps of ``seconds`` whose true lengths are known once the device is drained."""

    def __init__(self, ruler: Ruler, seconds: float = SLEEP_SECONDS) -> None:
        self._ruler = ruler
        self._seconds = seconds
        self._events: list[tuple[torch.cuda.Event, torch.cuda.Event]] = []

    def sleep(self) -> None:
        """Queue one more."""
        self._events.append(_timed_sleep(int(self._seconds * self._ruler.rate)))

    def drained(self) -> bool:
        """Whether the last of them is over; asks the device without waiting for it."""
        return not self._events or bool(self._events[-1][1].query())

    def scale(self) -> float:
        """How long they took, as a multiple of what was planned; the device must be drained."""
        if not self._events:
            return 1.0
        taken = sum(float(before.elapsed_time(after)) for before, after in self._events) / 1000
        return taken / (len(self._events) * self._seconds)

    def queue(self) -> SleepQueue:
        """Keep them before the device."""
        return SleepQueue(self.sleep, self.drained, self._seconds, time.perf_counter)


def _timed_sleep(cycles: int) -> tuple[torch.cuda.Event, torch.cuda.Event]:
    before = torch.cuda.Event(enable_timing=True)
    after = torch.cuda.Event(enable_timing=True)
    before.record()
    torch.cuda._sleep(cycles)
    after.record()
    return before, after


def prepare_environment() -> None:
    """Take settings out of this process that would distort what is measured; before CUDA is initialised.

    Kernels are loaded when CUDA starts: loading one when it is first used may wait for the device (CUDA C++ Programming
    Guide, Lazy Loading). Products are not rounded to TF32 (NVIDIA_TF32_OVERRIDE, cuBLAS documentation): what two
    algorithms of cuDNN would make of a recurrent network then differs by more than results that count as equal.
    """
    for name in _DISTORTING_VARIABLES:
        os.environ.pop(name, None)
    os.environ["CUDA_MODULE_LOADING"] = "EAGER"
    os.environ["NVIDIA_TF32_OVERRIDE"] = "0"


def calibrate() -> Ruler:
    """Measure, once, how many cycles of ``torch.cuda._sleep`` make a second.

    The device is kept busy first: an idle GPU runs at a fraction of its clock and takes its time to
    raise it.
    """
    busy_until = time.perf_counter() + _RAMP_UP_SECONDS
    while time.perf_counter() < busy_until:
        torch.cuda._sleep(_CALIBRATION_CYCLES)
        torch.cuda.synchronize()
    sleeps = [_timed_sleep(_CALIBRATION_CYCLES) for _ in range(_CALIBRATION_SLEEPS)]
    torch.cuda.synchronize()
    return Ruler(
        cycles_per_second((_CALIBRATION_CYCLES, before.elapsed_time(after) / 1000) for before, after in sleeps)
    )


def recover() -> None:
    """After an exception: free what the failed call held. Raises what a device that is lost raises."""
    torch.cuda.synchronize()
    torch.cuda.empty_cache()


def measure(
    survey: Survey, case: Case, programs: tuple[Program, Program], ruler: Ruler, trace_path: Path | None
) -> None:
    """Run every step; the trace is kept at ``trace_path`` when there is one."""
    hazard, twin = programs
    warm_up(survey, programs, WARM_UP_CALLS)
    torch.cuda.synchronize()
    if case.compares_results:
        compare_results(survey, hazard, twin)
    held: _Held = {}
    for program in programs:
        for function in survey.remaining(program):
            survey.attempt(program, function, "debug mode", _debug_mode(survey, program, function))
        for function in survey.remaining(program):
            survey.attempt(program, function, "stopwatch", _stopwatch(survey, program, function, ruler, held))
    traced = _trace(survey, _remaining(survey, programs), ruler, trace_path, held)
    for opinion in range(_SECOND_OPINIONS):
        doubted = _where_they_differ(_remaining(survey, programs), held, traced)
        if traced is None or not doubted:
            break
        for program in doubted:
            for function in program.functions:
                survey.attempt(
                    program, function, "stopwatch", _stopwatch(survey, program, function, ruler, held, opinion + 1)
                )
        again = _trace(survey, _remaining(survey, doubted), ruler, None, held)
        traced |= again or {}
    if case.compares_results:
        for program in programs:
            for function in survey.remaining(program):
                survey.attempt(program, function, "cost", _cost(survey, program, function, ruler))


def _remaining(survey: Survey, programs: Sequence[Program]) -> list[Program]:
    """The programs with those of their functions that have not failed."""
    return [
        replace(program, functions=functions) for program in programs if (functions := tuple(survey.remaining(program)))
    ]


def _where_they_differ(
    programs: Sequence[Program],
    held: _Held,
    traced: Mapping[tuple[Side, str], Set[int]] | None,
) -> list[Program]:
    """The functions on a line of which the stopwatch says otherwise than the trace, or nothing."""

    def differ(key: tuple[Side, str]) -> bool:
        waiting = (traced or {}).get(key, frozenset())
        return any(said is not (line in waiting) for line, said in _said(held.get(key, ())).items())

    return [
        replace(program, functions=functions)
        for program in programs
        if (functions := tuple(name for name in program.functions if differ((program.side, name))))
    ]


def _debug_mode(survey: Survey, program: Program, function: str) -> Callable[[], None]:
    def action() -> None:
        run = program.prepare(function, fresh_seed())
        torch.cuda.synchronize()
        found = debug_mode.witness(run, function, program.filename, program.starts)
        survey.send(WitnessReport(Witness.DEBUG_MODE, program.side, found, function=function))

    return action


def _stopwatch(
    survey: Survey,
    program: Program,
    function: str,
    ruler: Ruler,
    held: _Held,
    opinion: int = 0,
) -> Callable[[], None]:
    """Measure the lines of a function; a later ``opinion`` begins with more work in the queue.

    What is said of each line is put into ``held`` too.
    """

    def timed(sleeps: TimedSleeps | None, idle: Mapping[int, float]) -> list[Segment]:
        run = program.prepare(function, fresh_seed())
        torch.cuda.synchronize()
        queue = IdleDevice() if sleeps is None else sleeps.queue()
        timer = SegmentTimer(time.perf_counter, queue, idle)
        with observing_lines(program.filename, program.starts, timer):
            run()
        torch.cuda.synchronize()
        return rescaled(timer.segments, 1.0 if sleeps is None else sleeps.scale())

    def action() -> None:
        seconds = survey.lasting.get((program.side, function), 0.0)
        rounds = max(1, min(IDLE_RUNS, int(_STOPWATCH_SECONDS / 4 / max(seconds, 1e-9))))
        idle = own_times([timed(None, {}) for _ in range(rounds)])
        until = time.perf_counter() + _STOPWATCH_SECONDS

        def queued(number: int) -> list[Segment] | None:
            if number >= AGREEING_RUNS and time.perf_counter() > until:
                return None
            stretch = stretch_of_run(number + opinion * AGREEING_RUNS)
            return timed(TimedSleeps(ruler, stretch), idle)

        times = judge(function, idle, queued, MOST_RUNS)
        survey.send(WitnessReport(Witness.STOPWATCH, program.side, times=times, function=function))
        held[program.side, function] = times

    return action


def _said(times: Sequence[LineTime]) -> dict[int, bool | None]:
    """Whether each line waited; None where the runs did not agree."""
    return {time.line: None if time.disturbed else time.waited for time in times}


def _trace(
    survey: Survey, programs: Sequence[Program], ruler: Ruler, kept: Path | None, held: _Held
) -> dict[tuple[Side, str], Set[int]] | None:
    """Trace one call of every function; the lines that were seen waiting, None where there is no trace.

    What the stopwatch said of a line that fills the queue of launches is withdrawn from ``held``: it proves nothing.
    """
    survey.announce("trace")
    with tempfile.TemporaryDirectory(prefix="synclint-trace-") as folder:
        path = kept or Path(folder) / "trace.json.gz"
        try:
            events = record_trace(
                programs, fresh_seed(), TimedSleeps(ruler).queue().top_up, torch.cuda.synchronize, path
            )
        except Exception as error:
            survey.recover()
            _send_no_trace(survey, programs, f"the profiler failed: {type(error).__name__}: {error}")
            return None
    if not chrome_trace.has_cuda_events(events):
        _send_no_trace(
            survey,
            programs,
            "the trace contains no CUDA events: CUPTI is missing, in use by another profiler, or not permitted",
        )
        return None
    waiting: dict[tuple[Side, str], Set[int]] = {}
    for program in programs:
        found = chrome_trace.waits(events, program.side)
        full = chrome_trace.full_queues(events, program.side)
        for function in program.functions:
            times = held.get((program.side, function), ())
            told = tuple(replace(time, disturbed=True) if (function, time.line) in full else time for time in times)
            if told != times:
                held[program.side, function] = told
                survey.send(WitnessReport(Witness.STOPWATCH, program.side, times=told, function=function))
            own = tuple(wait for wait in found if wait.function == function)
            survey.send(WitnessReport(Witness.TRACE, program.side, own, function=function))
            waiting[program.side, function] = {wait.line for wait in own}
    for timeline in chrome_trace.timelines(events):
        survey.send(timeline)
    return waiting


def _send_no_trace(survey: Survey, programs: Sequence[Program], why: str) -> None:
    for program in programs:
        survey.send(WitnessReport(Witness.TRACE, program.side, unavailable=why))


def _cost(survey: Survey, program: Program, function: str, ruler: Ruler) -> Callable[[], None]:
    def action() -> None:
        calls = cost.calls_to_measure(survey.lasting.get((program.side, function), 0.0))
        runs = [program.prepare(function, fresh_seed()) for _ in range(2 * calls)]
        torch.cuda.synchronize()
        survey.send(
            cost.measure_cost(
                program.side,
                function,
                runs,
                lambda: ruler.queue(cost.STEP_SECONDS),
                torch.cuda.synchronize,
                time.perf_counter,
            )
        )

    return action


def driver_version() -> str | None:
    """The NVIDIA driver's release, as the driver's own tool says it; None where the tool is not there."""
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter(said.split()), None)


def cupti_version() -> int | None:
    """The version of CUPTI's interface, as ``cuptiGetVersion`` says it; None where there is no such library."""
    major = (torch.version.cuda or "").partition(".")[0]
    number = ctypes.c_uint32()
    try:
        ctypes.CDLL(f"libcupti.so.{major}").cuptiGetVersion(ctypes.byref(number))
    except (OSError, AttributeError):
        return None
    return number.value
