"""Findings for programs: ruff's JSON keys, and in addition what only synclint knows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from synclint.findings import CallPlace, Context, Finding, Fix, Position, Repetition
from synclint.report.results import CheckedFile
from synclint.results.file_reports import FileReport
from synclint.results.full_paths import full_path, full_reason


def json_report(reports: Sequence[FileReport], folder: Path) -> str:
    """A list with one object for each finding, on a line of its own; file names are absolute, as in ruff's report.

    ``help`` says what to write instead, ``context.path`` holds the calls that lead to the line, from the outside in.
    Rows and columns count from 1, columns in characters; ``end_location`` is just after the span. In a
    notebook rows count from the beginning of the ``cell``, which is null elsewhere. The order is that of the paths;
    ``priority`` gives the one in which people are told, greatest first, and findings with one ``group`` have one cause.
    """
    # Python indents ten times slower than it writes a line.
    lines = [
        json.dumps(_finding(report.path, finding, folder))
        for report in reports
        for finding in CheckedFile(report, str(report.path)).findings
    ]
    return "[\n" + ",\n".join(lines) + "\n]" if lines else "[]"


def _finding(path: Path, finding: Finding, folder: Path) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "mechanism": finding.mechanism,
        "help": finding.instead or None,
        "context": _context(finding.context, path, folder),
        "priority": round(finding.priority, 1),
        "group": finding.group or None,
        "cell": finding.cell,
        "filename": full_path(str(path), folder),
        "location": _position(finding.span.start),
        "end_location": _position(finding.span.end),
        "fix": _fix(finding.fix) if finding.fix else None,
        "url": finding.url or None,
    }


def _context(context: Context, path: Path, folder: Path) -> dict[str, Any]:
    return {
        "runs": context.runs.value,
        "reason": full_reason(context, str(path), folder),
        "times": [{"each": loop.each} | _place(loop, folder) for loop in context.times],
        "path": [{"function": call.function or None} | _place(call, folder) for call in context.path],
        "captured": context.captured,
        "work": "training" if context.trains else "inference" if context.infers else None,
        "by_nature": context.by_nature,
        "assumed": context.assumed,
    }


def _place(place: CallPlace | Repetition, folder: Path) -> dict[str, Any]:
    return {"filename": full_path(place.path, folder), "cell": place.cell, "row": place.line}


def _position(position: Position) -> dict[str, int]:
    return {"row": position.line, "column": position.column}


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "caveat": fix.caveat or None,
        "edits": [
            {
                "content": edit.replacement,
                "location": _position(edit.span.start),
                "end_location": _position(edit.span.end),
                "cell": edit.cell,
            }
            | ({"filename": edit.path} if edit.path else {})
            for edit in fix.edits
        ],
    }
