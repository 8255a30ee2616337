"""What a recorder is: it notices waits on one kind of device and hands them on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from synclint.trace.records import Action, CodeLine, Device, ObservedWait

Take = Callable[[ObservedWait], None]


class RecorderUnavailableError(Exception):
    """Nothing can be recorded here; the message is one line that says why, and what to do."""


@dataclass(frozen=True)
class Interval:
    """A stretch of one thread, in nanoseconds of ``time.time_ns``, which is the profiler's clock, too.

    ``calls`` is 0 for a part of a call that goes on in another stretch.
    """

    action: Action
    step: int
    thread: int
    start: int
    end: int
    place: CodeLine
    calls: int = 1


@dataclass(frozen=True)
class MeasuredWait:
    """What the device's side knows of one wait in a profiled step.

    ``wait`` is told better than when it was ``announced``, which is None for a wait that only the profiler saw.
    ``start`` and ``end`` are nanoseconds of ``time.time_ns``; ``blocked`` are the seconds for which the host was held,
    ``idle`` those for which the device then had nothing to do.
    """

    wait: ObservedWait
    announced: ObservedWait | None
    step: int
    start: int
    end: int
    blocked: float
    idle: float


@dataclass(frozen=True)
class TimedWork:
    """A kernel or a copy on the device: when it ran, and when the host asked for it (nanoseconds)."""

    kind: str
    name: str
    step: int
    start: int
    end: int
    place: CodeLine
    bytes: int
    asked: int
    asked_until: int


# A note for the report.
NEVER_USED = "the program never used the GPU"


@dataclass(frozen=True)
class Window:
    """A profiled step, from when it began to when it was over (nanoseconds)."""

    step: int
    start: int
    end: int


@dataclass(frozen=True)
class Measured:
    """What a device's own clock says of the profiled steps; everything is empty on a device without one."""

    waits: tuple[MeasuredWait, ...] = ()
    work: tuple[TimedWork, ...] = ()
    windows: tuple[Window, ...] = ()
    notes: tuple[str, ...] = ()
    # For how many seconds the device worked, by the number of the step.
    busy: tuple[tuple[int, float], ...] = ()
    # Whether enough is known of the device's work to tell when it had none.
    tells_idle: bool = True


class Recorder(Protocol):
    """Notices waits between ``start`` and ``stop``, of all threads of this process.

    Everything is called by the thread that runs the user's code. ``take`` is called by the thread that waits, which may
    be another. Frames of synclint are left out of the stacks of waits.
    """

    device: Device

    @property
    def is_profiling(self) -> bool:
        """Whether the step that runs is one that a profiler records."""

    def start(self, take: Take) -> None:
        """Begin to notice; from here on "cuda" works in the user's code.

        Raises RecorderUnavailableError.
        """

    def device_name(self) -> str:
        """What the device calls itself; asked once, after ``start``."""

    def step(self, number: int) -> None:
        """Step ``number`` begins, and the one before is over; called for step 0 right after ``start``."""

    def stop(self) -> None:
        """Leave everything as it was; called once, however the run ended."""

    def measured(self, intervals: Sequence[Interval]) -> Measured:
        """What the device's side says; called once, after ``stop``. ``intervals`` are those of the profiled steps."""
