"""Read a Kineto trace: which runtime calls made the host wait, and on which line of the case.

Works on the events of the Chrome trace that ``torch.profiler`` exports, whose format has been stable
over the releases from torch 2.4, rather than on its Python objects, which have not. The names of
events are those listed in CUPTI's headers and written by Kineto (``cuda_runtime``, ``gpu_memcpy``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synclint.verify.measurement import Bar, Side, Timeline, Wait

Event = Mapping[str, Any]

RANGE_PREFIX = "synclint"
# The beginning of the names of what autograd does on its threads.
_AUTOGRAD = "autograd::engine"

_RUNTIME_CATEGORIES = frozenset({"cuda_runtime", "cuda_driver"})
_DEVICE_CATEGORIES = frozenset({"kernel", "gpu_memcpy", "gpu_memset"})

# What torch.cuda._sleep launches.
_SLEEP_KERNEL = "spin_kernel"

# Kineto writes the waiting calls of the runtime, and of the driver's none: it keeps launches alone
# (cuLaunchKernel). What a library waits for through the driver shows in the cuda_sync events only.
_WAITING_CALLS = frozenset(
    {
        "cudaStreamSynchronize",
        "cudaDeviceSynchronize",
        "cudaEventSynchronize",
        "cudaMemcpy",
        "cudaMemcpy2D",
        "cudaMemcpyToSymbol",
        "cudaMemcpyFromSymbol",
    }
)

# Calls that may or may not wait: a small copy from pageable memory is staged and returns, a large one is
# not; cudaFree, through which empty_cache waits, has the whole device finish. Allocations are left out: whether a line
# makes one depends on what PyTorch's caches hold, and not on the line. So are launches: one that loads its kernel, or
# finds the queue of launches full, is slow without waiting for a result.
_MAY_WAIT = re.compile(r"cuda(Mem(?!PoolCreate)|Free)")
_LAUNCH = re.compile(r"cu(da)?Launch(Cooperative)?Kernel")
# So many launches fit into the queue before the host has to wait for room in it: 1024, less what is queued before.
_QUEUE = 1000

# CUPTI's records of synchronization, written with _ExperimentalConfig(enable_cuda_sync_events=True). They
# are also written for calls that only ask, and for streams that wait for each other ("Stream Wait Event").
_SYNC_CATEGORY = "cuda_sync"
_WAITING_SYNCS = frozenset({"Stream Sync", "Context Sync", "Event Sync"})
_NEVER_WAITING = frozenset({"cudaEventQuery", "cudaStreamQuery", "cudaStreamWaitEvent", "cudaEventRecord"})

# CUPTI may append a version and a per-thread-stream mark: cudaStreamSynchronize_v3020, cudaFree_v3020_ptsz.
_API_SUFFIX = re.compile(r"(_v\d+)?(_ptds|_ptsz)?(_v\d+)?$")

# A call that waits ends when the work before it ends, in microseconds: the device's clock and the host's
# differ a little, the host takes its time to wake up and to do the rest of the call. Where less work than
# this was left, nobody can tell a wait from a slow call.
_EARLY = 50.0
_LATE = 500.0
_LATE_SHARE = 0.25
_LEAST_REMAINING = 500.0


def range_name(side: Side, function: str, line: int | None = None) -> str:
    """The name of the profiler range around a call, or around one line of it."""
    parts = [RANGE_PREFIX, side.value, function] + ([] if line is None else [str(line)])
    return "|".join(parts)


@dataclass(frozen=True)
class Range:
    """A range that the verifier opened: a call (``line`` None) or one of its lines; microseconds.

    ``thread`` is the number that the system gives to the thread that opened it.
    """

    side: Side
    function: str
    line: int | None
    start: float
    end: float
    thread: object = None


@dataclass(frozen=True)
class RuntimeCall:
    """A call into CUDA's runtime that makes the host wait; ``what`` names it and the operator around it.

    ``name`` is the call alone, ``copy`` the copy that it makes between host and device, if any. ``thread`` is the
    number that the system gives to the thread, None for a wait through the driver, whose thread no event tells.
    ``operators`` are those around it, from the outside in. Where the call is part of a backward pass, ``sequence`` is
    the number of the forward operator that it belongs to.
    """

    what: str
    start: float
    end: float
    name: str = ""
    copy: str = ""
    thread: int | None = None
    operators: tuple[str, ...] = ()
    sequence: int | None = None


def has_cuda_events(events: Iterable[Event]) -> bool:
    """Whether the trace saw CUDA at all; without the right to use CUPTI it holds the host's half only.

    Traces of ROCm have events of the same categories under names of HIP; nothing here knows them.
    """
    return any(
        event.get("cat") in _RUNTIME_CATEGORIES and str(event.get("name", "")).startswith("cu") for event in events
    )


def ranges(events: Iterable[Event]) -> list[Range]:
    """The verifier's own ranges, calls and lines."""
    found = []
    for event in _complete(events):
        parts = str(event.get("name", "")).split("|")
        if event.get("cat") != "user_annotation" or parts[0] != RANGE_PREFIX or len(parts) not in (3, 4):
            continue
        line = int(parts[3]) if len(parts) == 4 else None
        found.append(Range(Side(parts[1]), parts[2], line, _start(event), _end(event), event.get("tid")))
    return found


def waiting_calls(events: Sequence[Event]) -> list[RuntimeCall]:
    """The calls that wait: synchronizations, copies into pageable memory, and what queued work held.

    A copy from the device into pageable memory returns when it is complete. Copies from pageable
    memory and frees count when they end as the work that was queued before them does;
    those that are slow by themselves end at any time. Copies from and to pinned memory wait only through
    the synchronization that follows them, which is listed by itself. Synchronizations of a library that
    calls the driver have no runtime call, only a ``cuda_sync`` event.
    """
    queued = _Queued(_works(events))
    copies = _pageable_copies(events)
    runtime = [event for event in _complete(events) if event.get("cat") in _RUNTIME_CATEGORIES]
    syncs = {
        _correlation(event): str(event["name"])
        for event in _complete(events)
        if event.get("cat") == _SYNC_CATEGORY and event.get("name") in _WAITING_SYNCS
    }
    waiting = []
    for event in runtime:
        name = _call_name(event)
        copy = copies.get(_correlation(event))
        sync = None if name in _NEVER_WAITING else syncs.get(_correlation(event))
        may_wait = _MAY_WAIT.match(name) is not None and queued.held(event)
        if name in _WAITING_CALLS or may_wait or sync or (copy is not None and "DtoH" in copy):
            waiting.append((event, name, copy))
    calls = []
    operators = [event for event in _complete(events) if event.get("cat") == "cpu_op"]
    around = enclosing(operators, [event for event, _, _ in waiting])
    for (event, name, copy), operations in zip(waiting, around, strict=True):
        what = f"{name}, {copy}" if copy else name
        if operations:
            what = f"{what} in {operations[-1]['name']}"
        thread = event.get("tid")
        calls.append(
            RuntimeCall(
                what,
                _start(event),
                _end(event),
                name=name,
                copy=copy or "",
                thread=thread if isinstance(thread, int) else None,
                operators=tuple(str(operation["name"]) for operation in operations),
                sequence=_forward_sequence(operations),
            )
        )
    known = {_correlation(event) for event in runtime}
    for event in _complete(events):
        name = str(event.get("name", ""))
        if event.get("cat") == _SYNC_CATEGORY and name in _WAITING_SYNCS and _correlation(event) not in known:
            calls.append(RuntimeCall(f"{name} through the driver", _start(event), _end(event), name=name))
    return sorted(calls, key=lambda call: call.start)


def enclosing(operators: Iterable[Event], inner: Sequence[Event]) -> list[tuple[Event, ...]]:
    """For each of ``inner`` the operators of its thread within which it begins, from the outside in."""
    by_thread: dict[object, list[Event]] = {}
    for event in sorted(operators, key=lambda event: (_start(event), -_end(event))):
        by_thread.setdefault(event.get("tid"), []).append(event)
    found: list[tuple[Event, ...]] = [()] * len(inner)
    wanted: dict[object, list[int]] = {}
    for index in sorted(range(len(inner)), key=lambda index: _start(inner[index])):
        wanted.setdefault(inner[index].get("tid"), []).append(index)
    for thread, indices in wanted.items():
        own, position = by_thread.get(thread, []), 0
        open_now: list[Event] = []
        for index in indices:
            now = _start(inner[index])
            while position < len(own) and _start(own[position]) <= now:
                while open_now and _end(open_now[-1]) < _start(own[position]):
                    open_now.pop()
                open_now.append(own[position])
                position += 1
            while open_now and _end(open_now[-1]) < now:
                open_now.pop()
            found[index] = tuple(open_now)
    return found


def _forward_sequence(operations: Iterable[Event]) -> int | None:
    """The number of the forward operator that a backward pass works for, among the operators being run.

    Operators of the backward pass carry the forward's thread, whose number is above zero there alone.
    """
    for event in operations:
        arguments = event.get("args", {})
        if arguments.get("Fwd thread id") and isinstance(arguments.get("Sequence number"), int):
            return int(arguments["Sequence number"])
    return None


@dataclass(frozen=True)
class _Work:
    """A piece of the device's work: when the host asked for it, and when the device did it."""

    correlation: object
    stream: object
    asked: float
    end: float
    is_copy: bool


def _works(events: Sequence[Event]) -> list[_Work]:
    launches = _launches(events)
    return [
        _Work(
            correlation=_correlation(event),
            stream=event.get("args", {}).get("stream"),
            asked=launches.get(_correlation(event), _start(event)),
            end=_end(event),
            is_copy=event.get("cat") == "gpu_memcpy",
        )
        for event in _complete(events)
        if event.get("cat") in _DEVICE_CATEGORIES
    ]


class _Queued:
    """Until when the device was busy with what had been asked for before a moment, on all streams and on each."""

    def __init__(self, works: Sequence[_Work]) -> None:
        self._copies = {work.correlation: work for work in works if work.is_copy and work.correlation is not None}
        self._asked: dict[object, list[float]] = {}
        self._busy: dict[object, list[float]] = {}
        for work in sorted(works, key=lambda work: work.asked):
            for stream in (_ALL_STREAMS, work.stream):
                busy = self._busy.setdefault(stream, [])
                self._asked.setdefault(stream, []).append(work.asked)
                busy.append(max(busy[-1], work.end) if busy else work.end)

    def held(self, call: Event) -> bool:
        """Whether the call ended when the work queued before it did; a copy when the copy itself did, at the latest."""
        own = self._copies.get(_correlation(call))
        stream = own.stream if own else _ALL_STREAMS
        before = bisect_left(self._asked.get(stream, []), _start(call))
        queued_until = self._busy[stream][before - 1] if before else float("-inf")
        remaining = queued_until - _start(call)
        if remaining < _LEAST_REMAINING:
            return False
        latest = max(queued_until, own.end) if own else queued_until
        return queued_until - _EARLY <= _end(call) <= latest + _LATE + _LATE_SHARE * remaining


_ALL_STREAMS = object()


def _call_name(event: Event) -> str:
    return _API_SUFFIX.sub("", str(event.get("name", "")))


def waits(events: Sequence[Event], side: Side) -> tuple[Wait, ...]:
    """The waits of one side, each on the innermost line whose range it falls in; line 0 if in none.

    Containment is by time: backward runs on threads of its own while the line that started it waits for them. What
    other threads do meanwhile, as those that pin batches, is no wait of the line. The middle of the call decides, since
    the clocks of CUPTI and of the host's ranges may differ by a few microseconds.
    """
    own = [known for known in ranges(events) if known.side is side]
    found = []
    for call in waiting_calls(events):
        innermost = _innermost(own, (call.start + call.end) / 2)
        if innermost is None or not _belongs(call, innermost):
            continue
        found.append(Wait(innermost.function, innermost.line or 0, call.what, (call.end - call.start) / 1e6))
    return tuple(found)


def _innermost(own: Iterable[Range], moment: float) -> Range | None:
    """The range of a line that holds a moment, or of a call where none of its lines does."""
    holding = [known for known in own if known.start <= moment < known.end]
    return min(holding, key=lambda known: (known.line is None, known.end - known.start), default=None)


def _belongs(call: RuntimeCall, known: Range) -> bool:
    """Whether a call is made for what runs in the range meanwhile: copies and frees of other threads are not."""
    if call.thread is None or known.thread is None or call.thread == known.thread:
        return True
    of_autograd = call.sequence is not None or any(name.startswith(_AUTOGRAD) for name in call.operators)
    return of_autograd or _MAY_WAIT.match(call.name) is None


def full_queues(events: Sequence[Event], side: Side) -> frozenset[tuple[str, int]]:
    """The lines, with their functions, that launch so much that the host may have to wait for room to launch more.

    The stopwatch takes that for a wait.
    """
    own = [known for known in ranges(events) if known.side is side and known.line is not None]
    launches = [
        event
        for event in _complete(events)
        if event.get("cat") in _RUNTIME_CATEGORIES and _LAUNCH.match(str(event.get("name", "")))
    ]
    counts: dict[tuple[str, int], int] = {}
    for event in launches:
        innermost = _innermost(own, _start(event))
        if innermost is not None and innermost.line is not None:
            key = (innermost.function, innermost.line)
            counts[key] = counts.get(key, 0) + 1
    return frozenset(key for key, count in counts.items() if count >= _QUEUE)


def timelines(events: Sequence[Event]) -> tuple[Timeline, ...]:
    """Host and device during each call: its lines and waits above, what it launched below."""
    everything = ranges(events)
    calls = waiting_calls(events)
    launches = _launches(events)
    device = [event for event in _complete(events) if event.get("cat") in _DEVICE_CATEGORIES]
    drawn = []
    for call in everything:
        if call.line is not None:
            continue
        lines = [
            Bar(inner.start - call.start, inner.end - call.start, f"line {inner.line}", "line", inner.line)
            for inner in everything
            if inner.line is not None and call.start <= inner.start < call.end
        ]
        waited = [
            Bar(wait.start - call.start, wait.end - call.start, wait.what, "wait")
            for wait in calls
            if call.start <= wait.start < call.end
        ]
        worked = [
            Bar(_start(event) - call.start, _end(event) - call.start, str(event["name"]), _device_kind(event))
            for event in device
            if call.start <= launches.get(_correlation(event), _start(event)) < call.end
        ]
        drawn.append(Timeline(call.side, call.function, tuple(lines + waited), tuple(worked)))
    return tuple(drawn)


def _device_kind(event: Event) -> str:
    return "queued" if _SLEEP_KERNEL in str(event["name"]) else str(event["cat"])


def _correlation(event: Event) -> object:
    return event.get("args", {}).get("correlation")


def _launches(events: Iterable[Event]) -> dict[object, float]:
    """When each piece of the device's work was launched, by the number that it shares with its launch."""
    launched = {
        _correlation(event): _start(event) for event in _complete(events) if event.get("cat") in _RUNTIME_CATEGORIES
    }
    launched.pop(None, None)
    return launched


def _complete(events: Iterable[Event]) -> Iterable[Event]:
    return (event for event in events if event.get("ph") == "X")


def _start(event: Event) -> float:
    return float(event["ts"])


def _end(event: Event) -> float:
    return float(event["ts"]) + float(event.get("dur", 0))


def _pageable_copies(events: Iterable[Event]) -> dict[object, str]:
    copies: dict[object, str] = {}
    for event in _complete(events):
        name = str(event.get("name", ""))
        if event.get("cat") == "gpu_memcpy" and ("DtoH" in name or "HtoD" in name) and "Pageable" in name:
            copies[_correlation(event)] = name
    copies.pop(None, None)
    return copies
