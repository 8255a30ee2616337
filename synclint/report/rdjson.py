"""Reviewdog's diagnostics, from which it comments on pull requests of many hosts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from synclint.findings import Finding, Position, Severity, Span
from synclint.report.changes import change_of
from synclint.report.results import CheckedFile, Results, located_message
from synclint.rules.records import DOCUMENTATION

_SEVERITY = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def rdjson_report(results: Results) -> str:
    """One object with a diagnostic for each finding; columns count bytes of UTF-8, as reviewdog's do."""
    diagnostics = [_diagnostic(file, finding) for file in results.files for finding in file.findings]
    report = {
        "source": {"name": "synclint", "url": DOCUMENTATION},
        "severity": "WARNING",
        "diagnostics": diagnostics,
    }
    return json.dumps(report, indent=2)


def _diagnostic(file: CheckedFile, finding: Finding) -> dict[str, Any]:
    lines = file.lines(finding)
    if finding.cell is None:
        place = _range(finding.span, lines)
    else:  # columns of a cell are not those of the JSON around it
        place = {"start": {"line": file.file_line(finding)}}
    diagnostic: dict[str, Any] = {
        "message": "\n".join(filter(None, [located_message(finding), finding.instead])),
        "location": {"path": file.path, "range": place},
        "severity": _SEVERITY[finding.severity],
        "code": {"value": f"{finding.code} {finding.name}"},
    }
    if finding.url:
        diagnostic["code"]["url"] = finding.url
    # Suggestions are taken one by one, so that the edits of a fix have to be one.
    change = change_of(file, finding) if finding.cell is None else None
    if change is not None:
        diagnostic["suggestions"] = [{"range": _range(change.span, lines), "text": change.replacement}]
    return diagnostic


def _range(span: Span, lines: Sequence[str]) -> dict[str, Any]:
    return {"start": _position(span.start, lines), "end": _position(span.end, lines)}


def _position(position: Position, lines: Sequence[str]) -> dict[str, int]:
    line = lines[position.line - 1] if position.line <= len(lines) else ""
    before = line[: position.column - 1].encode("utf-8", "surrogatepass")
    return {"line": position.line, "column": len(before) + 1}
