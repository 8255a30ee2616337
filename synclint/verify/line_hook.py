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
    running: dict[FrameType, int] = {}

    def finish(frame: FrameType) -> None:
        if (line := running.pop(frame, None)) is not None:
            observer.leave(line)

    def within(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        if event == "line":
            line = starts.get(frame.f_lineno, frame.f_lineno)
            if running.get(frame) != line:
                finish(frame)
                running[frame] = line
                observer.enter(line)
        elif event == "return":
            finish(frame)
        return within

    def called(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        return within if frame.f_code.co_filename == filename else None

    previous = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(previous)


class ReachedLines:
    """An observer that only remembers which lines ran."""

    def __init__(self) -> None:
        self.lines: set[int] = set()

    def enter(self, line: int) -> None:
        """Remember ``line``."""
        self.lines.add(line)

    def leave(self, line: int) -> None:
        """Nothing is left to remember when a line ends."""
