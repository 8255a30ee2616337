"""One traced run of this process: recorder, steps and clocks put in place, and the records taken away."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable

from synclint.running.shortfalls import describe_internal_error
from synclint.trace.activities import Activities, Wrappers
from synclint.trace.backward_lines import BackwardLines
from synclint.trace.children import ChildProcesses
from synclint.trace.compiled_code import runs_compiled
from synclint.trace.dataset_parts import DatasetParts
from synclint.trace.devices import recorder_for
from synclint.trace.joining import joined
from synclint.trace.ownership import Ownership
from synclint.trace.reached import ReachedLines, lines_watch
from synclint.trace.records import Action, Device, Header, ObservedWait, Run, Step
from synclint.trace.settings import Settings, last_step
from synclint.trace.steps import OptimizerHooks, StepLeader
from synclint.trace.tally import Tally

# More waits than anybody can see in the picture of a step.
_MOST_DRAWN = 300


class Session:
    """Traces this process from ``start`` to ``finish``; ``begin_step`` may be called by the user's code.

    ``on_last_step`` is called when the active steps are over, if the settings ask for that.
    """

    def __init__(
        self,
        settings: Settings,
        ownership: Ownership,
        command: tuple[str, ...],
        on_last_step: Callable[[], None] = lambda: None,
    ) -> None:
        self._settings = settings
        self._ownership = ownership
        self._command = command
        self._on_last_step = on_last_step
        self._recorder = recorder_for(settings, ownership)
        # On CUDA the profiler leads waits of backward passes to their lines.
        self._backward = BackwardLines(ownership) if settings.device is Device.SIMULATED else None
        self._tally = Tally()
        self._leader = StepLeader()
        self._steps: list[Step] = []
        self._explicit = False
        self._activities = Activities(ownership, lambda: self._recorder.is_profiling)
        self._parts = DatasetParts(self._watches_batches)
        self._wrappers = Wrappers(self._activities, ownership, self._parts, settings.cache_batches)
        self._hooks = OptimizerHooks(
            lambda: self._activities.begin(Action.OPTIMIZER), self._activities.pause, self._optimizer_stepped
        )
        self._reached: ReachedLines = lines_watch(ownership)
        self._children = ChildProcesses()
        self._pid = os.getpid()
        self._folder = os.getcwd()  # noqa: PTH109
        self._started = time.time()
        self._began = time.perf_counter()
        self._last = last_step(settings.schedule)
        self._running = False
        self._notes: list[str] = []
        # The waits of the step that is running, and of the last that was completed, in their order.
        self._seen: list[ObservedWait] = []
        self._order: list[ObservedWait] = []

    def start(self) -> None:
        """Begin. Raises RecorderUnavailableError, and leaves everything as it was then."""
        self._recorder.start(self._take)
        self._running = True
        self._hooks.start()
        self._wrappers.start()
        self._reached.start()
        self._children.start()
        self._recorder.step(0)
        if self._backward:
            self._backward.start()
        self._began = time.perf_counter()

    def expect_explicit_steps(self) -> None:
        """The user's code will say when a step is over; optimizers do not."""
        self._explicit = True

    def end_step(self) -> None:
        """The user's code says that a step is over; from now on optimizers do not."""
        self.expect_explicit_steps()
        self._stepped()

    def finish(self, exit_status: int | None, ended_by: str = "") -> Run:
        """Stop, and hand over what was seen."""
        self._running = False
        if self._backward:
            self._backward.stop()
        self._children.stop()
        self._reached.stop()
        self._wrappers.stop()
        self._hooks.stop()
        name = self._recorder.device_name()
        children = self._children.notes(simulated=self._recorder.device is Device.SIMULATED)
        self._recorder.stop()
        intervals = tuple(self._activities.intervals)
        refinements = self._backward.refinements() if self._backward else ()
        measured = self._recorder.measured(intervals)
        header = Header(
            device=self._recorder.device,
            device_name=name,
            command=self._command,
            folder=self._folder,
            versions=_versions(),
            schedule=self._settings.schedule,
            rank=_environment_number("RANK", 0),
            world_size=_environment_number("WORLD_SIZE", 1),
            started=self._started,
            exit_status=exit_status,
            ended_by=ended_by,
            notes=(*children, *measured.notes, *self._notes),
            other_processes=self._children.count,
        )
        compiled = runs_compiled(self._ownership)
        run = Run(
            header=header,
            steps=tuple(self._steps),
            waits=self._tally.sites(),
            actions=self._activities.times(),
            loaders=tuple(self._activities.loaders.values()),
            dataset_parts=self._parts.parts(),
            files=self._reached.files(),
            reached=self._reached.lines(),
            # What runs in another process is not seen here, nor what was compiled.
            reached_to_the_end=self._reached.is_complete() and not self._children.count and not compiled,
            compiled=compiled,
        )
        return joined(run, measured, intervals, self._order or self._seen, refinements)

    def _watches_batches(self) -> bool:
        """Before the profiled steps: how a batch is made is told by few of them, which become slower by that."""
        schedule = self._settings.schedule
        first = schedule.skip_first + schedule.wait + schedule.warmup
        return self._settings.device is Device.CUDA and len(self._steps) < first

    def leave_in_child(self) -> None:
        """In a process that was forked off, such as a loader's worker: notice nothing more."""
        self._running = False
        self._reached.stop()

    def _take(self, wait: ObservedWait) -> None:
        if self._running and os.getpid() == self._pid:
            self._tally.add(wait, len(self._steps))
            if self._backward:
                self._backward.heard(wait, len(self._steps))
            if len(self._seen) < _MOST_DRAWN:
                self._seen.append(wait)

    def _guarded(self, action: Callable[[], None]) -> None:
        """Do something of ours; an error in it is noted, and nothing that the program need know."""
        try:
            action()
        except Exception as error:
            self._notes.append(f"the rest of the run was not traced: {describe_internal_error(error)}")
            self._guarded = lambda action: None  # type: ignore[method-assign]

    def _optimizer_stepped(self, optimizer: int) -> None:
        self._activities.end()
        if not self._explicit and self._leader.ends_step(optimizer):
            self._activities.abandon()
            self._stepped()

    def _stepped(self) -> None:
        if not self._running or os.getpid() != self._pid:
            return
        now = time.perf_counter()
        self._steps.append(Step(len(self._steps), now - self._began, self._recorder.is_profiling))
        self._order, self._seen = self._seen, []
        self._began = now
        number = len(self._steps)
        self._activities.step = number
        self._guarded(lambda: self._recorder.step(number))
        self._guarded(self._reached.step)
        if self._backward:
            self._guarded(self._backward.step)
        # What the tracer itself does between two steps is no part of them.
        self._began = time.perf_counter()
        if self._settings.stop and self._last is not None and number >= self._last:
            self._on_last_step()


def _environment_number(name: str, default: int) -> int:
    try:
        return int(os.environ.get(name, ""))
    except ValueError:
        return default


def _versions() -> tuple[tuple[str, str], ...]:
    import torch

    from synclint.version import __version__

    versions = {
        "synclint": __version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        # `platform.platform()` would start a process, which must not be done while a program is ended by a signal.
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
    }
    if torch.version.cuda is not None:
        versions["cuda"] = str(torch.version.cuda)
    for name in ("torchmetrics", "lightning", "pytorch_lightning", "transformers", "numpy"):
        module = sys.modules.get(name)
        if module is not None and hasattr(module, "__version__"):
            versions[name] = str(module.__version__)
    return tuple(versions.items())
