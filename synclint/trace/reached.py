"""Which lines of the user's files ran: without it nobody can tell a line that does not wait from one that never ran.

Where Python has ``sys.monitoring`` (3.12), each line costs once. Before, ``sys.settrace`` costs at every call, and is
taken away as soon as some steps in a row have shown nothing new; what makes the program go another way puts it back.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Protocol

from synclint.trace.ownership import Owner, Ownership

_QUIET_STEPS = 3


class ReachedLines(Protocol):
    """Notes lines between ``start`` and ``stop``."""

    def start(self) -> None:
        """Begin."""

    def step(self) -> None:
        """A step is over."""

    def stop(self) -> None:
        """End."""

    def files(self) -> tuple[str, ...]:
        """The user's files of which code ran."""

    def lines(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Their lines that ran; a file of which nobody can tell is left out."""

    def is_complete(self) -> bool:
        """Whether they were watched from beginning to end."""


def lines_watch(ownership: Ownership) -> ReachedLines:
    """The watch for this Python."""
    return MonitoredLines(ownership) if sys.version_info >= (3, 12) else TracedLines(ownership)


def _sorted(lines: dict[str, set[int]]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((file, tuple(sorted(found))) for file, found in sorted(lines.items()))


class TracedLines:
    """Through ``sys.settrace``; stands back where a debugger or a coverage tool uses it already."""

    def __init__(self, ownership: Ownership) -> None:
        self._ownership = ownership
        self._lines: dict[str, set[int]] = {}
        self._of_users: dict[CodeType, set[int] | None] = {}
        self._quiet = 0
        self._known = 0
        self._on = False
        self._in_way = False
        self._paused = False
        self._restore: list[tuple[object, str, object]] = []

    def start(self) -> None:
        """Begin, with the frames that are running as well."""
        if sys.gettrace() is not None:
            self._in_way = True
            return
        self._arm()
        threading.settrace(self._called)
        self._arm_on_change()

    def step(self) -> None:
        """Stop looking where nothing new is to be seen."""
        if not self._on:
            return
        count = sum(map(len, self._lines.values()))
        self._quiet = self._quiet + 1 if count == self._known else 0
        self._known = count
        if self._quiet >= _QUIET_STEPS:
            self._paused = True
            self._disarm()

    def stop(self) -> None:
        """Leave everything as it was."""
        while self._restore:
            owner, name, before = self._restore.pop()
            setattr(owner, name, before)
        if not self._in_way:
            self._disarm()
            threading.settrace(None)

    def files(self) -> tuple[str, ...]:
        """The files of which a line ran."""
        return tuple(sorted(self._lines))

    def lines(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """What ran."""
        return () if self._in_way else _sorted(self._lines)

    def is_complete(self) -> bool:
        """Whether nothing could run unseen."""
        return not self._paused

    def _arm_on_change(self) -> None:
        """Look again when the program trains or evaluates, or begins to go through a loader."""
        import torch
        from torch.utils.data import DataLoader

        for owner, name in ((torch.nn.Module, "train"), (DataLoader, "__iter__")):
            before = vars(owner)[name]
            self._restore.append((owner, name, before))
            setattr(owner, name, self._arming(before))

    def _arming(self, function: Callable[..., Any]) -> Callable[..., Any]:
        import functools

        @functools.wraps(function)
        def arming(*arguments: object, **options: object) -> object:
            if not self._on:
                self._arm()
            return function(*arguments, **options)

        return arming

    def _arm(self) -> None:
        if sys.gettrace() is not None:
            return
        self._on, self._quiet = True, 0
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_trace is None and self._seen_of(frame.f_code) is not None:
                frame.f_trace = self._line
            frame = frame.f_back
        sys.settrace(self._called)

    def _disarm(self) -> None:
        self._on = False
        if sys.gettrace() == self._called:
            sys.settrace(None)
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_trace == self._line:
                frame.f_trace = None
            frame = frame.f_back

    def _seen_of(self, code: CodeType) -> set[int] | None:
        try:
            return self._of_users[code]
        except KeyError:
            seen = None
            if self._ownership.of(code.co_filename) is Owner.USER:
                seen = self._lines.setdefault(code.co_filename, set())
            self._of_users[code] = seen
            return seen

    def _called(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        if not self._on:
            return None
        seen = self._seen_of(frame.f_code)
        return None if seen is None else self._line

    def _line(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        if not self._on:
            return None
        if event == "line":
            seen = self._of_users.get(frame.f_code)
            if seen is not None:
                seen.add(frame.f_lineno)
        return self._line


class MonitoredLines:
    """Through ``sys.monitoring``: each line tells once that it ran, and costs nothing from then on."""

    def __init__(self, ownership: Ownership) -> None:
        self._ownership = ownership
        self._lines: dict[str, set[int]] = {}
        self._monitoring: Any = getattr(sys, "monitoring", None)
        self._tool: int | None = None

    def start(self) -> None:
        """Take a number of a tool that nobody uses; without one nothing is noted."""
        monitoring = self._monitoring
        for tool in (3, 4, monitoring.COVERAGE_ID):
            if monitoring.get_tool(tool) is None:
                monitoring.use_tool_id(tool, "synclint")
                monitoring.register_callback(tool, monitoring.events.LINE, self._line)
                monitoring.set_events(tool, monitoring.events.LINE)
                monitoring.restart_events()
                self._tool = tool
                return

    def step(self) -> None:
        """Nothing changes with a step."""

    def stop(self) -> None:
        """Give the number back."""
        if self._tool is not None:
            self._monitoring.set_events(self._tool, 0)
            self._monitoring.register_callback(self._tool, self._monitoring.events.LINE, None)
            self._monitoring.free_tool_id(self._tool)
            self._tool = None

    def files(self) -> tuple[str, ...]:
        """The files of which a line ran."""
        return tuple(sorted(self._lines))

    def lines(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """What ran."""
        return _sorted(self._lines)

    def is_complete(self) -> bool:
        """Always: a line that is not watched any more has been seen."""
        return True

    def _line(self, code: CodeType, line: int) -> object:
        if self._ownership.of(code.co_filename) is Owner.USER:
            self._lines.setdefault(code.co_filename, set()).add(line)
        return self._monitoring.DISABLE
