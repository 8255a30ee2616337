"""Reports after lines of other files have moved: the same, with the places in these files where they are now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.findings import Finding
from synclint.results.file_reports import FileReport


def moved_report(report: FileReport, files: Iterable[MovedFile]) -> FileReport:
    """A report whose own file stands where it stood, after lines of others have moved."""
    for file in files:
        report = replace(
            report,
            findings=_moved(report.findings, file),
            unshown=_moved(report.unshown, file),
            unsure=_moved(report.unsure, file),
            suppressed=_moved(report.suppressed, file),
            accepted=_moved(report.accepted, file),
        )
    return report


def _moved(findings: Iterable[Finding], file: MovedFile) -> tuple[Finding, ...]:
    return tuple(
        replace(
            finding,
            message=moved(finding.message, file),
            context=moved(finding.context, file),
            evidence=moved(finding.evidence, file),
            cause=moved(finding.cause, file),
        )
        for finding in findings
    )


def is_distinguishable(report: FileReport, file: MovedFile) -> bool:
    """Whether no place in a file can be taken for one in that of the report, whose name may be the end of its own."""
    own = str(report.path).replace("\\", "/").removeprefix("./")
    return not any(name.replace("\\", "/").endswith(own) for name in (file.path, file.real_path))
