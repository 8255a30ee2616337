"""Where a step goes: the table that profilers show, and what helps against its first rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from synclint.trace.records import Place, Run, Step
from synclint.trace.report import ActionRow, Hint


def action_rows(run: Run, steps: Sequence[Step], line_of: Callable[[Place], str]) -> tuple[ActionRow, ...]:
    """The rows, in the order of ``Action``, with the waits by line between copies and forward."""
    return ()


def hints(run: Run, rows: Sequence[ActionRow], line_of: Callable[[Place], str]) -> tuple[Hint, ...]:
    """What helps against waiting for the loader, copies to the device, and waits."""
    return ()
