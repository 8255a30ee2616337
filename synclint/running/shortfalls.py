"""Why a file was not checked to its end."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from synclint.findings import Position
from synclint.rules.own import INTERNAL_ERROR
from synclint.rules.records import Rule
from synclint.running.faults import fault
from synclint.running.internal_errors import describe_internal_error


@dataclass(frozen=True)
class Shortfall:
    """Why a file was not checked to its end: the rule that says so, in which words, and where."""

    rule: Rule
    message: str
    place: Position


def shortfall_at(path: Path, rule: Rule, message: str, error: Exception) -> Shortfall:
    """What is said of a file whose analysis ended in ``error``, at the statement that was being run."""
    from synclint.analysis.stopped import stopped_at

    return Shortfall(rule, message, stopped_at(error, os.path.realpath(path)) or Position(1, 1))


def internal_error(path: Path, error: Exception) -> Shortfall:
    """What is said of an error of ours in a file, or of what the system did not do for us there."""
    reason = fault(error)
    message = describe_internal_error(error) if reason is None else f"the file was not checked to its end: {reason}"
    return shortfall_at(path, INTERNAL_ERROR, message, error)
