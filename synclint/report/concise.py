"""One line for each finding, as editors, problem matchers and ``grep`` read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from synclint.findings import Finding
from synclint.report.terminal import Palette, escape, shown_path
from synclint.runner import FileReport


def concise_report(reports: Sequence[FileReport], palette: Palette, folder: Path) -> Iterator[str]:
    """``path:row:column: CODE name: message [confidence]`` for each finding."""
    for report in reports:
        for finding in report.findings:
            yield headline(report.path, finding, palette, folder)


def headline(path: Path, finding: Finding, palette: Palette, folder: Path) -> str:
    """The line that says where and what; ``path`` is shown relative to ``folder``."""
    start = finding.span.start
    where = f"{palette.strong(shown_path(path, folder))}:{start.line}:{start.column}:"
    sure = palette.faint(f"[{finding.confidence.value}]")
    rule = f"{palette.code(finding.code)} {palette.strong(finding.name)}"
    return f"{where} {rule}: {escape(finding.message)} {sure}"
