"""Reports of files that are as they were, after lines of others have moved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.findings import Finding
from synclint.results.file_reports import FileReport

# What a report tells of findings, and what these tell of places in other files.
_FINDINGS = ("findings", "unshown", "unsure", "suppressed", "accepted")
_PLACES = ("message", "context", "evidence", "cause")


def moved_report(report: FileReport, files: Iterable[MovedFile]) -> FileReport:
    """A report whose own file stands where it stood, after lines of others have moved."""
    for file in files:
        told: dict[str, Any] = {
            name: tuple(_moved(finding, file) for finding in getattr(report, name)) for name in _FINDINGS
        }
        report = replace(report, **told)
    return report


def _moved(finding: Finding, file: MovedFile) -> Finding:
    told: dict[str, Any] = {place: moved(getattr(finding, place), file) for place in _PLACES}
    return replace(finding, **told)


def is_distinguishable(report: FileReport, file: MovedFile) -> bool:
    """Whether no place in a file can be taken for one in that of the report, whose name may be the end of its own."""
    own = str(report.path).replace("\\", "/").removeprefix("./")
    return not any(name.replace("\\", "/").endswith(own) for name in (file.path, file.real_path))
