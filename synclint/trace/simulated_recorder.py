"""The simulated device as a recorder: every wait with its line, and no times."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack

from synclint.trace.observation import observed
from synclint.trace.ownership import Ownership
from synclint.trace.recorders import NEVER_USED, Interval, Measured, RecorderUnavailableError, Take
from synclint.trace.records import Device


class SimulatedRecorder:
    """Gives the user's code a ``cuda:0`` on which every wait is seen.

    Processes that ``torchrun`` started on this machine see as many devices as there are of them.
    """

    device = Device.SIMULATED
    is_profiling = False

    def __init__(self, ownership: Ownership) -> None:
        """Nothing changes before ``start``."""
        self._ownership = ownership
        self._stack = ExitStack()
        self._before = 0

    def start(self, take: Take) -> None:
        """Put the device in place and begin to notice."""
        from synclint.verify.recording import hearing_syncs
        from synclint.verify.simulated import SimulatedDeviceUnavailable, operators_run, simulated_device

        try:
            self._stack.enter_context(simulated_device(_local_processes()))
        except SimulatedDeviceUnavailable as error:
            raise RecorderUnavailableError(str(error)) from None
        self._before = operators_run()
        self._stack.enter_context(hearing_syncs(lambda sync: take(observed(sync, self._ownership))))

    def device_name(self) -> str:
        """What it is."""
        return "simulated device"

    def step(self, number: int) -> None:
        """Nothing changes from step to step."""

    def stop(self) -> None:
        """Take the device away."""
        self._stack.close()

    def measured(self, intervals: Sequence[Interval]) -> Measured:
        """Nothing was measured; it is known whether there was anything to measure."""
        from synclint.verify.simulated import operators_run

        return Measured(notes=() if operators_run() > self._before else (NEVER_USED,))


def _local_processes() -> int:
    """How many processes of a distributed run there are on this machine."""
    try:
        return max(1, int(os.environ.get("LOCAL_WORLD_SIZE", "1")))
    except ValueError:
        return 1
