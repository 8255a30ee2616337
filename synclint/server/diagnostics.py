"""Findings as the diagnostics of an editor."""

from __future__ import annotations

from pathlib import Path

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    Location,
    Position,
    Range,
)
from pygls.workspace import PositionCodec

from synclint.api import Call, Finding
from synclint.report.terminal import escape
from synclint.server.positions import range_of

SOURCE = "synclint"
_SEVERITIES = {
    "error": DiagnosticSeverity.Error,
    "warning": DiagnosticSeverity.Warning,
    "info": DiagnosticSeverity.Information,
}


def diagnostic(finding: Finding, lines: list[str], codec: PositionCodec) -> Diagnostic:
    """A finding in a document, or a cell, with these lines; what comes from the checked files is escaped."""
    advice = f"\n{finding.help}" if finding.help else ""
    return Diagnostic(
        range=range_of(finding.start, finding.end, lines, codec),
        message="\n".join(escape(line) for line in f"{finding.message}{advice}".split("\n")),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=CodeDescription(finding.url) if finding.url else None,
        source=SOURCE,
        related_information=[_related(call) for call in finding.path] or None,
    )


def _related(call: Call) -> DiagnosticRelatedInformation:
    """A call on the way to a finding; which column it has is not known."""
    start = Position(max(0, call.line - 1), 0)
    where = f"called in `{escape(call.function)}`" if call.function else "called by the script"
    return DiagnosticRelatedInformation(Location(Path(call.file).absolute().as_uri(), Range(start, start)), where)
