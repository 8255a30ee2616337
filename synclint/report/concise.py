"""One line for each finding, as editors, problem matchers and ``grep`` read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from synclint.file_reports import FileReport
from synclint.findings import Finding
from synclint.report.results import CheckedFile
from synclint.report.terminal import Palette, escape, shown_path


def concise_report(reports: Iterable[FileReport], palette: Palette, folder: Path) -> Iterator[str]:
    """``path:row:column: CODE name: message [confidence]`` for each finding.

    In a notebook the place is ``path:cell 3, line 7, column 12:``.
    """
    for report in reports:
        for finding in CheckedFile(report, str(report.path)).findings:
            yield headline(report.path, finding, palette, folder)


def headline(path: Path, finding: Finding, palette: Palette, folder: Path) -> str:
    """The line that says where and what; ``path`` is shown relative to ``folder``."""
    start = finding.span.start
    place = f"{start.line}:{start.column}"
    if finding.cell is not None:
        place = f"cell {finding.cell}, line {start.line}, column {start.column}"
    where = f"{palette.strong(shown_path(path, folder))}:{place}:"
    sure = palette.faint(f"[{finding.confidence.value}]")
    rule = f"{palette.code(finding.code)} {palette.strong(finding.name)}"
    return f"{where} {rule}: {escape(finding.message)} {sure}"
