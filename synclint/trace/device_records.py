"""What the device did in each profiled step: how long it worked, and how many of CUPTI's records of that are missing.

CUPTI drops records where its buffers are full, and some releases (12.6 update 2 to 13.0) write them without times,
which Kineto then leaves out. A device that seems idle may have worked meanwhile: each call that asks for work is
therefore looked for among the records of work. Nanoseconds of ``time.time_ns``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synclint.trace.recorders import Window

# Calls of which each asks for one piece of work. A graph's launch asks for any number, and a copy of CUDA arrays or
# between devices is no record of this device.
_ASKS = re.compile(r"cu(da)?(LaunchKernel(Ex|ExC)?|LaunchCooperativeKernel|MemcpyAsync)(_v\d+)?(_ptsz)?$")
_WORK = frozenset({"kernel", "gpu_memcpy", "gpu_memset"})
_CALLS = frozenset({"cuda_runtime", "cuda_driver"})


@dataclass(frozen=True)
class DeviceRecords:
    """How many pieces of work were asked for in the profiled steps, and of how many of these nothing is known."""

    asked: int = 0
    lost: int = 0

    @property
    def lost_share(self) -> float:
        """The share of what was asked for, from 0 to 1."""
        return self.lost / self.asked if self.asked else 0.0


def nanoseconds(microseconds: float, base: int) -> int:
    """A moment of a trace; some count from 1970, which leaves a double no digits for a multiplication."""
    whole = int(microseconds)
    return base + 1000 * whole + round(1000 * (microseconds - whole))


def span(event: Mapping[str, Any], base: int) -> tuple[int, int]:
    """When an event begins and ends."""
    start = nanoseconds(float(event["ts"]), base)
    return start, start + round(1000 * float(event.get("dur", 0)))


def records_of(events: Iterable[Mapping[str, Any]], base: int, windows: Sequence[Window]) -> DeviceRecords:
    """The calls within the windows against the records of work; ``base`` is what the events' times lack."""
    asked: set[object] = set()
    known: set[object] = set()
    for event in events:
        number = event.get("args", {}).get("correlation")
        if event.get("ph") != "X" or number is None:
            continue
        category = event.get("cat")
        if category in _WORK and _has_times(event):
            known.add(number)
        elif category in _CALLS and _ASKS.match(str(event.get("name", ""))):
            moment, _ = span(event, base)
            if any(window.start <= moment <= window.end for window in windows):
                asked.add(number)
    return DeviceRecords(len(asked), len(asked - known))


def _has_times(event: Mapping[str, Any]) -> bool:
    return float(event.get("ts", 0)) > 0


def joined_records(all_records: Iterable[DeviceRecords]) -> DeviceRecords:
    """Those of several traces together."""
    found = tuple(all_records)
    return DeviceRecords(sum(one.asked for one in found), sum(one.lost for one in found))


def busy_steps(events: Iterable[Mapping[str, Any]], base: int, windows: Sequence[Window]) -> dict[int, float]:
    """For each window's step, for how many seconds the device had something to do, on any of its streams.

    Empty where the trace knows nothing of the device. What was asked for in an earlier step counts in which it ran.
    """
    spans = [
        span(event, base)
        for event in events
        if event.get("ph") == "X" and event.get("cat") in _WORK and _has_times(event)
    ]
    spans.sort()
    return {window.step: _union(spans, window) / 1e9 for window in windows} if spans else {}


def _union(spans: Iterable[tuple[int, int]], window: Window) -> int:
    """How much of the window the spans cover together; they are in the order in which they begin."""
    covered, until = 0, window.start
    for start, over in spans:
        end = min(over, window.end)
        if start < end and end > until:
            covered += end - max(start, until)
            until = end
    return covered
