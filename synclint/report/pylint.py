"""Lines as pylint's parseable format has them, for the many tools that read those."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from synclint.report.results import CheckedFile, located_message
from synclint.report.terminal import escape


def pylint_report(files: Iterable[CheckedFile]) -> Iterator[str]:
    """``path:line: [CODE(name), ] message`` for each finding; lines are those of the file on disk."""
    for file in files:
        for finding in file.findings:
            rule = f"{finding.code}({finding.name})"
            yield f"{escape(file.path)}:{file.file_line(finding)}: [{rule}, ] {escape(located_message(finding))}"
