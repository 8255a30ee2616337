"""What a recorder is: it notices waits on one kind of device and hands them on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from synclint.trace.records import ActionTime, Copies, Device, DrawnStep, ObservedWait

Take = Callable[[ObservedWait], None]


class RecorderUnavailableError(Exception):
    """Nothing can be recorded here; the message is one line that says why, and what to do."""


@dataclass(frozen=True)
class MeasuredWait:
    """What the device's side knows of one wait: how long the host was held, and the device idle after it."""

    wait: ObservedWait
    step: int
    blocked: float
    idle: float


@dataclass(frozen=True)
class Measured:
    """What a device's own clock says of the profiled steps; everything is empty on a device without one.

    ``unseen`` are waits that nobody announced and only the profiler saw; ``waits`` measures those that were announced.
    """

    waits: tuple[MeasuredWait, ...] = ()
    unseen: tuple[MeasuredWait, ...] = ()
    actions: tuple[ActionTime, ...] = ()
    copies: tuple[Copies, ...] = ()
    drawn: tuple[DrawnStep, ...] = ()
    notes: tuple[str, ...] = ()


class Recorder(Protocol):
    """Notices waits between ``start`` and ``stop``, of all threads of this process.

    Everything is called by the thread that runs the user's code. ``take`` is called by the thread that waits, which may
    be another. Frames of synclint are left out of the stacks of waits.
    """

    device: Device

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

    def measured(self) -> Measured:
        """What the device's side says, after ``stop``."""
