"""The records that calls from Python return: frozen, comparable and picklable, made of plain values only.

Words such as severities are plain strings, the same as in JSON reports. Lines and columns start at 1; columns are
counted in characters. With a ``cell``, lines are relative to that cell of a notebook; cells are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from synclint.findings import CallPlace, Repetition
from synclint.findings import Finding as Found
from synclint.findings import Fix as FoundFix
from synclint.findings import Position as Position
from synclint.report.results import CheckedFile
from synclint.results.file_reports import FileReport
from synclint.results.full_paths import full_path, full_reason

Severity = Literal["info", "warning", "error"]
Confidence = Literal["low", "medium", "high"]
Phase = Literal["step", "interval", "eval", "epoch", "data", "once", "benchmark", "test", "unreached"]
Applicability = Literal["safe", "unsafe"]


@dataclass(frozen=True)
class Call:
    """A call on the way to a finding: its place, and the ``function`` that contains it, None at the top of a module."""

    file: str
    line: int
    function: str | None
    cell: int | None = None


@dataclass(frozen=True)
class Loop:
    """A loop that multiplies a wait within its phase: the line runs once for each item; ``each`` names the items."""

    each: str
    file: str
    line: int
    cell: int | None = None


@dataclass(frozen=True)
class Edit:
    """The text between ``start`` and ``end`` (just after the last character) of a file is replaced by ``content``."""

    file: str
    start: Position
    end: Position
    content: str
    cell: int | None = None


@dataclass(frozen=True)
class Fix:
    """Edits that belong together: apply all of them, or none.

    ``message`` is an imperative that describes them; ``caveat``, for unsafe fixes only, is what can differ afterwards.
    """

    message: str
    edits: tuple[Edit, ...]
    applicability: Applicability
    caveat: str | None = None


@dataclass(frozen=True)
class Finding:
    """One expression that makes the CPU wait, or something else that a rule reports.

    ``message`` describes what waits, ``help`` what to write instead, and ``url`` leads to the rule's page. ``file`` is
    an absolute path, or ``-`` for a source without a name. ``evidence`` is the chain of inferences, one sentence each,
    the last one first.

    ``runs`` is the phase in which the line runs and ``reason`` explains why; ``times`` are the loops that multiply it
    there, and ``path`` the calls that lead there, from the outside in. ``captured`` names what records the line instead
    of running it, such as a CUDA graph. ``work`` is what the step is known to do; ``by_nature`` means that the purpose
    of the program makes this wait unavoidable.

    ``priority`` orders findings by what they are likely to cost, highest first; findings with the same ``group`` have
    the same cause.
    """

    code: str
    name: str
    message: str
    help: str
    url: str | None
    file: str
    start: Position
    end: Position
    cell: int | None
    severity: Severity
    confidence: Confidence
    mechanism: str
    runs: Phase
    reason: str
    times: tuple[Loop, ...]
    path: tuple[Call, ...]
    captured: str | None
    work: Literal["training", "inference"] | None
    by_nature: bool
    priority: float
    group: str | None
    evidence: tuple[str, ...]
    fix: Fix | None

    def __str__(self) -> str:
        """The finding on one line, with control characters of the checked file made visible."""
        from synclint.report.terminal import escape

        cell = "" if self.cell is None else f"cell {self.cell}:"
        return escape(f"{self.file}:{cell}{self.start.line}:{self.start.column}: {self.code} {self.message}")


def findings_of(reports: Sequence[FileReport], folder: Path) -> list[Finding]:
    """The findings of all reports, in order; relative paths are relative to ``folder``, which is absolute."""
    return [
        _finding(finding, report.path, folder)
        for report in reports
        for finding in CheckedFile(report, str(report.path)).findings
    ]


def _finding(found: Found, path: Path, folder: Path) -> Finding:
    context = found.context
    file = full_path(str(path), folder)
    return Finding(
        code=found.code,
        name=found.name,
        message=found.message,
        help=found.instead,
        url=found.url or None,
        file=file,
        start=found.span.start,
        end=found.span.end,
        cell=found.cell,
        severity=found.severity.value,
        confidence=found.confidence.value,
        mechanism=found.mechanism,
        runs=context.runs.value,
        reason=full_reason(context, str(path), folder),
        times=tuple(_loop(loop, folder) for loop in context.times),
        path=tuple(_call(call, folder) for call in context.path),
        captured=context.captured,
        work="training" if context.trains else "inference" if context.infers else None,
        by_nature=context.by_nature,
        priority=round(found.priority, 1),
        group=found.group or None,
        evidence=found.evidence,
        fix=_fix(found.fix, file) if found.fix else None,
    )


def _call(call: CallPlace, folder: Path) -> Call:
    return Call(full_path(call.path, folder), call.line, call.function or None, call.cell)


def _loop(loop: Repetition, folder: Path) -> Loop:
    return Loop(loop.each, full_path(loop.path, folder), loop.line, loop.cell)


def _fix(fix: FoundFix, file: str) -> Fix:
    edits = tuple(
        Edit(edit.path or file, edit.span.start, edit.span.end, edit.replacement, edit.cell) for edit in fix.edits
    )
    return Fix(fix.message, edits, fix.applicability.value, fix.caveat or None)
