"""Brings together what the recorder announced and what the device's clock measured."""

from __future__ import annotations

from dataclasses import replace

from synclint.trace.activities import Interval
from synclint.trace.recorders import Measured
from synclint.trace.records import Run


def joined(run: Run, measured: Measured, intervals: tuple[Interval, ...]) -> Run:
    """The run with measured times in its waits, copies and drawn steps."""
    return replace(run, copies=measured.copies, drawn=measured.drawn)
