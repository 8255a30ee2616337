"""Which line of Python calls PyTorch when: what leads from the profiler's clock back to the user's lines.

The profiler's own stacks hold the line where a function was entered, not the one that ran. Here each call of a function
of PyTorch is noted with its line, its time, and the numbers that autograd gives to the operators within it.
"""

from __future__ import annotations

import sys
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from synclint.trace.ownership import Owner, Ownership, blame
from synclint.trace.records import CodeLine

# Shorter calls neither wait nor make anything that autograd remembers; most are questions for a shape or a device.
_SHORTEST = 2_000


@dataclass(frozen=True)
class WatchedCall:
    """A call of a function of PyTorch: nanoseconds of ``time.time_ns``, and the operators' numbers from first to last.

    ``last`` is the number after that of the last operator; ``stack`` holds the user's line and what lies beneath it.
    """

    thread: int
    start: int
    end: int
    first: int
    last: int
    place: CodeLine
    library: CodeLine | None


class CallWatch:
    """Notes calls of the thread that switches it on, until it switches it off."""

    def __init__(self, ownership: Ownership) -> None:
        self._ownership = ownership
        self._noted: list[tuple[int, int, int, int, int, tuple[CodeLine, ...]]] = []
        self._mode: _Mode | None = None

    def on(self) -> None:
        """Begin, beneath whatever other modes are there: each is taken away in the order in which it came."""
        # A compiled function would have to be compiled again, for a mode that it cannot look into.
        if self._mode is not None or _compiles():
            return
        self._mode = _Mode(self._note)
        stack = _popped()
        stack.insert(1 if stack and stack[0] is _default_device() else 0, self._mode)
        _pushed(stack)

    def off(self) -> None:
        """End."""
        if self._mode is not None:
            _pushed([mode for mode in _popped() if mode is not self._mode])
            self._mode = None

    def calls(self) -> Calls:
        """What was noted."""
        found = []
        for thread, start, end, first, last, stack in self._noted:
            blamed = blame(stack, self._ownership)
            found.append(WatchedCall(thread, start, end, first, last, blamed.place, blamed.library))
        return Calls(found)

    def _note(self, start: int, end: int, first: int, last: int, frame: FrameType | None) -> None:
        places: list[CodeLine] = []
        while frame is not None:
            code = frame.f_code
            owner = self._ownership.of(code.co_filename)
            if owner is not Owner.SYNCLINT:
                places.append(CodeLine(code.co_filename, frame.f_lineno, code.co_name))
            if owner is Owner.USER:
                break
            frame = frame.f_back
        places.reverse()
        self._noted.append((threading.get_native_id(), start, end, first, last, tuple(places)))


class _Mode(TorchFunctionMode):  # type: ignore[misc]
    """Sees each call of a function of PyTorch that the program makes, and none that such a function makes itself."""

    def __init__(self, note: Callable[[int, int, int, int, FrameType | None], None]) -> None:
        super().__init__()
        self._note = note

    def __torch_function__(
        self,
        function: Callable[..., object],
        types: object,
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        # What is compiled for the first time while calls are watched is compiled with what this method does: nothing.
        if torch.compiler.is_compiling():
            return function(*args, **(kwargs or {}))
        first = torch.autograd._get_sequence_nr()
        start = time.time_ns()
        try:
            return function(*args, **(kwargs or {}))
        finally:
            end = time.time_ns()
            last = torch.autograd._get_sequence_nr()
            if last != first or end - start >= _SHORTEST:
                self._note(start, end, first, last, sys._getframe(1))


class Calls:
    """Finds calls by time, and by the numbers of the operators that they made."""

    def __init__(self, calls: Iterable[WatchedCall]) -> None:
        self._by_thread: dict[int, list[WatchedCall]] = {}
        for call in sorted(calls, key=lambda call: call.start):
            self._by_thread.setdefault(call.thread, []).append(call)
        self._starts = {thread: [call.start for call in own] for thread, own in self._by_thread.items()}
        self._making = sorted(
            (call for own in self._by_thread.values() for call in own if call.last > call.first),
            key=lambda call: call.first,
        )
        self._firsts = [call.first for call in self._making]

    def at(self, thread: int | None, moment: float) -> WatchedCall | None:
        """The call that a thread makes at a moment."""
        if thread is None or thread not in self._by_thread:
            return None
        index = bisect_right(self._starts[thread], moment) - 1
        call = self._by_thread[thread][index] if index >= 0 else None
        return call if call is not None and moment <= call.end else None

    def making(self, sequence: int) -> WatchedCall | None:
        """The call within which autograd gave an operator this number; the latest, should threads share it."""
        index = bisect_right(self._firsts, sequence) - 1
        call = self._making[index] if index >= 0 else None
        return call if call is not None and sequence < call.last else None


def _compiles() -> bool:
    """Whether something has been compiled in this process."""
    utilities: Any = sys.modules.get("torch._dynamo.utils")
    return utilities is not None and bool(utilities.counters["frames"])


def _default_device() -> object:
    """The mode that ``torch.set_default_device`` puts beneath all others and expects there; that of ``with
    torch.device(…)`` is taken away from the top.
    """
    return getattr(getattr(torch, "_GLOBAL_DEVICE_CONTEXT", None), "device_context", None)


def _popped() -> list[Any]:
    """All modes of this thread, the outermost first; none is left."""
    modes = [torch._C._pop_torch_function_stack() for _ in range(torch._C._len_torch_function_stack())]
    modes.reverse()
    return modes


def _pushed(modes: Iterable[Any]) -> None:
    for mode in modes:
        torch._C._push_on_torch_function_stack(mode)
