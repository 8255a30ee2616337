"""Which recorder notices waits on which device."""

from __future__ import annotations

from synclint.trace.ownership import Ownership
from synclint.trace.recorders import Recorder
from synclint.trace.records import Device
from synclint.trace.settings import Settings


def recorder_for(settings: Settings, ownership: Ownership) -> Recorder:
    """The recorder for the device that was asked for; imports torch."""
    if settings.device is Device.SIMULATED:
        from synclint.trace.simulated_recorder import SimulatedRecorder

        return SimulatedRecorder(ownership)
    from synclint.trace.cuda_recorder import CudaRecorder

    return CudaRecorder(settings, ownership)
