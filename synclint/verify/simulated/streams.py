"""``torch.cuda.Stream`` and ``torch.cuda.Event`` of the simulated device.

CUDA's own classes need the CUDA library; these stand on PyTorch's device-independent ones, which ask
the simulated device itself. Work is done by the time a call returns, so nothing is ever pending.
"""

from __future__ import annotations

import time

import torch

# The selected one of its kind; index and all where there is one only.
DEVICE = torch.device("cuda")


def device_of(device: object) -> torch.device:
    """What ``torch.cuda`` takes for a device: its name, its number, or nothing for the selected one."""
    if device is None:
        return DEVICE
    return torch.device("cuda", device) if isinstance(device, int) else torch.device(device)


class Stream(torch.Stream):  # type: ignore[misc]
    """A stream: a number to tell streams apart by."""

    def __new__(cls, device: object = None, priority: int = 0, **identity: int) -> Stream:
        """Return a new stream, or the one that ``stream_id``, ``device_index`` and ``device_type`` name."""
        chosen = identity or {"device": device_of(device), "priority": priority}
        made: Stream = super().__new__(cls, **chosen)
        return made

    @property
    def cuda_stream(self) -> int:
        """The handle that other libraries take."""
        return int(self.stream_id)

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """The lowest and the highest priority, as CUDA gives them."""
        return 0, -5

    def wait_event(self, event: torch.Event) -> None:
        """Order this stream behind an event; the host does not wait."""
        event.wait(self)

    def wait_stream(self, stream: torch.Stream) -> None:
        """Order this stream behind another; the host does not wait."""
        self.wait_event(stream.record_event())

    def record_event(self, event: torch.Event | None = None) -> torch.Event:
        """Record an event, a new one unless given, and return it."""
        recorded = Event() if event is None else event
        recorded.record(self)
        return recorded

    def __repr__(self) -> str:
        """As CUDA's streams show themselves."""
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"


class Event(torch.Event):  # type: ignore[misc]
    """An event: the time at which it was recorded."""

    def __new__(cls, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> Event:
        """Return an event that was not recorded yet; ``interprocess`` has no meaning here."""
        made: Event = super().__new__(cls, device=DEVICE, enable_timing=enable_timing, blocking=blocking)
        return made

    def record(self, stream: torch.Stream | None = None) -> None:
        """Take the time: the work of every stream is done already."""
        super().record(stream)
        self._recorded_at = time.perf_counter()

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to ``end_event``. Raises RuntimeError if one was not recorded."""
        try:
            return 1000.0 * float(end_event._recorded_at - self._recorded_at)
        except AttributeError:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.") from None

    @property
    def cuda_event(self) -> int:
        """The handle that other libraries take."""
        return int(self.event_id)
