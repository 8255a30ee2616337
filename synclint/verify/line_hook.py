"""Follow a function line by line while it runs, through ``sys.settrace``.

The witnesses that need to know which line is running hang on here: one opens a profiler range per
line, one reads a clock. Only frames of the file under test are followed, and a statement written
over several lines counts as its first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

TraceFunction = Callable[[FrameType, str, object], "TraceFunction | None"]


class LineObserver(Protocol):
    """Told when a line begins and when it ends.

    Lines nest: while a line calls a helper of the same file, the helper's lines begin and end within it.
    """

    def enter(self, line: int) -> None:
        """The statement that begins on ``line`` is about to run."""

    def leave(self, line: int) -> None:
        """The statement that begins on ``line`` has run, or was left by an exception."""


@contextmanager
def observing_lines(filename: str, starts: Mapping[int, int], observer: LineObserver) -> Iterator[None]:
    """Tell ``observer`` about every statement of ``filename`` that this thread runs within the block.

    ``starts`` maps a line to the first line of its statement. Other threads (autograd's) are not
    followed: what they do belongs to the line of this thread that waits for them.
    """
    previous = sys.gettrace()
    sys.settrace(_LineHook(filename, starts, observer).called)
    try:
        yield
    finally:
        sys.settrace(previous)


class _LineHook:
    """The functions that Python calls.

    They hold nothing in a circle, as functions that return themselves would: what the observer holds, such as CUDA's
    events, would be left to the garbage collector, and end a loader's worker in which that happens to run.
    """

    def __init__(self, filename: str, starts: Mapping[int, int], observer: LineObserver) -> None:
        self._filename = filename
        self._starts = starts
        self._observer = observer
        self._running: dict[FrameType, int] = {}

    def called(self, frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        """A function begins: follow it if it is one of the file's."""
        return self._within if frame.f_code.co_filename == self._filename else None

    def _within(self, frame: FrameType, event: str, argument: object) -> TraceFunction:
        if event == "line":
            line = self._starts.get(frame.f_lineno, frame.f_lineno)
            if self._running.get(frame) != line:
                self._finish(frame)
                self._running[frame] = line
                self._observer.enter(line)
        elif event == "return":
            self._finish(frame)
        return self._within

    def _finish(self, frame: FrameType) -> None:
        if (line := self._running.pop(frame, None)) is not None:
            self._observer.leave(line)


class ReachedLines:
    """An observer that only remembers which lines ran."""

    def __init__(self) -> None:
        self.lines: set[int] = set()

    def enter(self, line: int) -> None:
        """Remember ``line``."""
        self.lines.add(line)

    def leave(self, line: int) -> None:
        """Nothing is left to remember when a line ends."""
