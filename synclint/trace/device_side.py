"""The device's side of the profiled steps: what the profiler's trace says, laid to the lines that asked for it.

Pure: from the trace's events, what was announced, and the calls that were watched. Nanoseconds of ``time.time_ns``
throughout, which is the clock of the trace once its base is added.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from synclint.trace.call_watch import Calls
from synclint.trace.codes import mechanism_of
from synclint.trace.device_records import nanoseconds, span
from synclint.trace.recorders import Interval, MeasuredWait, TimedWork, Window
from synclint.trace.records import NOWHERE, Action, ObservedWait, Origin
from synclint.verify.chrome_trace import RuntimeCall, waiting_calls

Event = Mapping[str, Any]

_WORK = {"kernel": "kernel", "gpu_memcpy": "copy", "gpu_memset": "kernel"}
_EXPLICIT = {"cudaDeviceSynchronize", "cudaEventSynchronize"}
# A copy of pageable memory with `non_blocking`, and memory that is given back: our own wrappers announce them once they
# are over.
_COPY = "cudaMemcpyAsync"
_FREE = "cudaFree"
_TOLD_APART = {*_EXPLICIT, _COPY, _FREE}
# Between a wait and its announcement, where no call of PyTorch holds both.
_SOON = 20_000_000


@dataclass(frozen=True)
class Announcement:
    """A wait that our own recording noticed while the profiler ran."""

    wait: ObservedWait
    thread: int
    moment: int


@dataclass(frozen=True)
class Trace:
    """One exported trace: its events, and what has to be added to their times."""

    events: Sequence[Event]
    base: int


@dataclass
class _Waiting:
    """Runtime calls that are one wait: a copy and the synchronization behind it, if there is one."""

    call: RuntimeCall
    start: int
    end: int
    blocked: int
    is_synchronized: bool = False

    @property
    def is_unseen_copy(self) -> bool:
        """Whether it is a copy in which the driver waits: of that the debug mode does not warn."""
        return self.call.name == _COPY and not self.is_synchronized


def measured_waits(
    trace: Trace,
    windows: Sequence[Window],
    announcements: Sequence[Announcement],
    calls: Calls,
    intervals: Sequence[Interval],
) -> list[MeasuredWait]:
    """The waits of the profiled steps, each with its line where anything tells it.

    A wait belongs to the call of PyTorch during which it happened on the same thread; in a backward pass, unless a hook
    made it, to the line whose operator has its number; otherwise to what was announced next to it. Several waits in a
    call of which one was announced are that one.
    """
    idle = _IdleTimes(trace)
    waiting = _merged(trace)
    announced = _Announcements(announcements, waiting, calls)
    copied = _Copied(trace)
    found: list[MeasuredWait] = []
    within: dict[int, int] = {}
    for wait in waiting:
        step = _step_at(windows, wait.start)
        if step is None:
            continue
        announced_wait = announced.take(wait, calls, intervals)
        call = calls.at(wait.call.thread, wait.start)
        if call is not None and announced_wait is None and id(call) in within:
            # What was announced once is counted once in each step, however often the driver waits for it.
            before = found[within[id(call)]]
            blocked, gap = before.blocked + wait.blocked / 1e9, before.idle + idle.after(wait.end) / 1e9
            found[within[id(call)]] = replace(before, end=wait.end, blocked=blocked, idle=gap)
            continue
        refined = _refined(wait, announced_wait, calls, copied.before(wait))
        if refined is None:
            continue
        if call is not None and announced_wait is not None and announced_wait.origin is Origin.PYTHON:
            within[id(call)] = len(found)
        found.append(
            MeasuredWait(
                wait=refined,
                announced=announced_wait,
                step=step,
                start=wait.start,
                end=wait.end,
                blocked=wait.blocked / 1e9,
                idle=idle.after(wait.end) / 1e9,
            )
        )
    return found


def device_work(trace: Trace, windows: Sequence[Window], calls: Calls) -> list[TimedWork]:
    """Kernels and copies of the profiled steps, each with the line that asked for it where that is known."""
    asked = {
        _correlation(event): event
        for event in trace.events
        if event.get("ph") == "X" and event.get("cat") in ("cuda_runtime", "cuda_driver")
    }
    asked.pop(None, None)
    found = []
    for event in trace.events:
        kind = _WORK.get(str(event.get("cat"))) if event.get("ph") == "X" else None
        if kind is None:
            continue
        start, end = span(event, trace.base)
        request = asked.get(_correlation(event))
        began, over = (start, start) if request is None else span(request, trace.base)
        step = _step_at(windows, began)
        if step is None:
            continue
        call = None if request is None else calls.at(_thread(request), (began + over) / 2)
        arguments = event.get("args", {})
        found.append(
            TimedWork(
                kind=kind,
                name=str(event.get("name", "")),
                step=step,
                start=start,
                end=end,
                place=call.place if call else NOWHERE,
                bytes=int(arguments.get("bytes") or 0),
                asked=began,
                asked_until=over,
            )
        )
    return found


def _merged(trace: Trace) -> list[_Waiting]:
    """The calls that wait; a copy into pageable memory and the synchronization that follows it are one wait."""
    found: list[_Waiting] = []
    last: dict[int | None, _Waiting] = {}
    for call in waiting_calls(trace.events):
        start, end = nanoseconds(call.start, trace.base), nanoseconds(call.end, trace.base)
        before = last.get(call.thread)
        follows = (
            before is not None
            and bool(before.call.copy)
            and before.end == before.start + before.blocked
            and call.name == "cudaStreamSynchronize"
            and call.operators == before.call.operators
            and call.thread is not None
        )
        if before is not None and follows:
            before.blocked += end - start
            before.end = end
            before.is_synchronized = True
            # A second synchronization behind the same copy is a wait of its own.
            last.pop(call.thread)
            continue
        wait = _Waiting(call, start, end, end - start)
        found.append(wait)
        last[call.thread] = wait
    return found


class _Announcements:
    """Finds what was announced of a wait; each announcement is of one wait.

    PyTorch warns when the call that waited returns to Python, and of a backward pass when all of it is over; our own
    wrappers announce before they wait, and a copy, or memory that is given back, when that is over.
    """

    def __init__(self, announcements: Sequence[Announcement], waiting: Sequence[_Waiting], calls: Calls) -> None:
        self._unwatched = _unwatched(announcements, waiting, calls)
        self._lists: dict[object, list[Announcement]] = defaultdict(list)
        for announced in sorted(announcements, key=lambda announced: announced.moment):
            self._lists[self._kind(announced)].append(announced)
        self._moments = {kind: [announced.moment for announced in own] for kind, own in self._lists.items()}
        self._taken: set[int] = set()

    @staticmethod
    def _kind(announced: Announcement) -> object:
        if announced.wait.origin is Origin.BACKWARD:
            return Origin.BACKWARD
        return announced.thread, announced.wait.op if announced.wait.op in _TOLD_APART else ""

    def take(self, wait: _Waiting, calls: Calls, intervals: Sequence[Interval]) -> ObservedWait | None:
        """What was announced of this wait."""
        passes = [
            interval
            for interval in intervals
            if interval.action is Action.BACKWARD and interval.start <= wait.start <= interval.end
        ]
        of_backward = wait.call.sequence is not None or any(one.thread != wait.call.thread for one in passes)
        own = self._unwatched.get(id(wait)) or self._on_its_thread(wait, calls)
        if own is not None or not of_backward:
            return own
        return next(filter(None, (self._take(Origin.BACKWARD, one.start, one.end) for one in passes)), None)

    def _on_its_thread(self, wait: _Waiting, calls: Calls) -> ObservedWait | None:
        """What code of Python has announced on the thread that waited; on one of autograd's that is a hook's."""
        thread, name = wait.call.thread, wait.call.name
        if name in _EXPLICIT:
            return self._take((thread, name), wait.start - _SOON, wait.start, latest=True)
        if wait.is_unseen_copy or name == _FREE:
            return self._take((thread, name), wait.end, wait.end + _SOON)
        call = calls.at(thread, wait.start)
        return self._take((thread, ""), call.start, call.end) if call is not None else None

    def _take(
        self,
        kind: object,
        start: int,
        end: int,
        *,
        latest: bool = False,
    ) -> ObservedWait | None:
        moments, own = self._moments.get(kind, []), self._lists.get(kind, [])
        indices = range(bisect_left(moments, start), bisect_right(moments, end))
        for index in reversed(indices) if latest else indices:
            if id(own[index]) not in self._taken:
                self._taken.add(id(own[index]))
                return own[index].wait
        return None


def _unwatched(
    announcements: Iterable[Announcement], waiting: Iterable[_Waiting], calls: Calls
) -> dict[int, ObservedWait]:
    """What was announced where no call is watched, by the ``id`` of the wait: the latest one before, on its thread.

    So it is in hooks, on autograd's threads, between waits that are announced when the backward pass is over.
    """
    moments: dict[int | None, list[tuple[int, bool, Announcement | _Waiting]]] = defaultdict(list)
    for announced in announcements:
        is_one = announced.wait.origin is Origin.PYTHON and announced.wait.op not in _TOLD_APART
        if is_one and calls.at(announced.thread, announced.moment) is None:
            moments[announced.thread].append((announced.moment, True, announced))
    for wait in waiting:
        is_told_apart = wait.call.name in (*_EXPLICIT, _FREE) or wait.is_unseen_copy
        if wait.call.thread in moments and not is_told_apart and calls.at(wait.call.thread, wait.start) is None:
            moments[wait.call.thread].append((wait.end, False, wait))
    found: dict[int, ObservedWait] = {}
    for own in moments.values():
        before: list[_Waiting] = []
        for moment, _, one in sorted(own, key=lambda entry: entry[:2]):
            if isinstance(one, _Waiting):
                before.append(one)
            elif before and moment - before[-1].end <= _SOON:
                found[id(before.pop())] = one.wait
    return found


class _Copied:
    """Which copy a wait is for: that which its thread asked for last, just before."""

    def __init__(self, trace: Trace) -> None:
        names = {
            _correlation(event): str(event.get("name", ""))
            for event in trace.events
            if event.get("ph") == "X" and event.get("cat") == "gpu_memcpy"
        }
        names.pop(None, None)
        self._asked: dict[int | None, list[tuple[int, str]]] = defaultdict(list)
        for event in trace.events:
            if event.get("ph") == "X" and event.get("cat") == "cuda_runtime" and _correlation(event) in names:
                moment = span(event, trace.base)[0]
                self._asked[_thread(event)].append((moment, names[_correlation(event)]))
        for own in self._asked.values():
            own.sort()

    def before(self, wait: _Waiting) -> str:
        """The name of the copy, empty where there is none."""
        if wait.call.copy:
            return wait.call.copy
        own = self._asked.get(wait.call.thread, [])
        index = bisect_right(own, (wait.start, "\uffff")) - 1
        is_near = index >= 0 and wait.start - own[index][0] < _SOON and "aten::copy_" in wait.call.operators
        return own[index][1] if is_near else ""


class _Named(TypedDict):
    operators: tuple[str, ...]
    op: str
    mechanism: str


def _refined(wait: _Waiting, announced_wait: ObservedWait | None, calls: Calls, copy: str) -> ObservedWait | None:
    """What was announced, with what the trace knows better; a wait that nobody announced, where its line is known."""
    call = wait.call
    operators = tuple(name for name in call.operators if name.startswith("aten::"))
    named = _Named(
        operators=operators,
        op=operators[-1] if operators else announced_wait.op if announced_wait else call.name,
        mechanism=mechanism_of(operators, copy, announced_wait.mechanism if announced_wait else "unknown"),
    )
    of_a_hook = announced_wait is not None and announced_wait.origin is Origin.PYTHON
    if call.sequence is not None and not of_a_hook:
        forward = calls.making(call.sequence)
        place = forward.place if forward else None
        if announced_wait is not None:
            return replace(announced_wait, forward=place, library=forward.library if forward else None, **named)
        if place is None:
            return None
        return ObservedWait(
            place=place, forward=place, library=forward.library if forward else None, origin=Origin.BACKWARD, **named
        )
    if announced_wait is not None:
        return replace(announced_wait, **named)
    here = calls.at(call.thread, (wait.start + wait.end) / 2)
    if here is None or not here.place.line:
        return None
    return ObservedWait(
        place=here.place,
        library=here.library,
        stack=tuple(place for place in (here.place, here.library) if place),
        **named,
    )


class _IdleTimes:
    """How long the device has nothing to do after a moment, on all of its streams."""

    def __init__(self, trace: Trace) -> None:
        spans = sorted(
            span(event, trace.base) for event in trace.events if event.get("ph") == "X" and event.get("cat") in _WORK
        )
        self._starts = [start for start, _ in spans]
        self._busy_until: list[int] = []
        for _, end in spans:
            self._busy_until.append(max(end, self._busy_until[-1]) if self._busy_until else end)

    def after(self, moment: int) -> int:
        """From when the work before ``moment`` was over to when the next began; 0 while it works, or at the end."""
        index = bisect_right(self._starts, moment)
        if index == 0 or index == len(self._starts) or self._busy_until[index - 1] > moment:
            return 0
        return self._starts[index] - self._busy_until[index - 1]


def _step_at(windows: Sequence[Window], moment: float) -> int | None:
    return next((window.step for window in windows if window.start <= moment <= window.end), None)


def _correlation(event: Event) -> object:
    return event.get("args", {}).get("correlation")


def _thread(event: Event) -> int | None:
    thread = event.get("tid")
    return thread if isinstance(thread, int) else None
