"""How often each rule was broken, and how a run ended."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from synclint.file_reports import FileReport
from synclint.report.terminal import Palette
from synclint.rules import ANALYSIS_LIMIT, INTERNAL_ERROR, SYNTAX_ERROR, UNUSED_SUPPRESSION

_OTHER_NOUNS = {
    SYNTAX_ERROR.code: "syntax error",
    UNUSED_SUPPRESSION.code: "unused suppression",
    ANALYSIS_LIMIT.code: "analysis limit",
    INTERNAL_ERROR.code: "internal error",
}


def counts(reports: Sequence[FileReport]) -> list[tuple[int, str, str]]:
    """How often each rule was broken, its code and its name, the most frequent first."""
    counter = Counter((finding.code, finding.name) for report in reports for finding in report.findings)
    return sorted(((count, code, name) for (code, name), count in counter.items()), key=lambda row: (-row[0], row[1]))


def statistics_table(reports: Sequence[FileReport], palette: Palette) -> Iterator[str]:
    """One line for each rule with findings, the most frequent first."""
    rows = counts(reports)
    digits = len(str(rows[0][0])) if rows else 1
    for count, code, name in rows:
        yield f"{palette.strong(f'{count:>{digits}}')}  {palette.code(code)}  {name}"


def statistics_json(reports: Sequence[FileReport]) -> str:
    """The same as a list of objects."""
    rows = [{"code": code, "name": name, "count": count} for count, code, name in counts(reports)]
    return json.dumps(rows, indent=2)


def summary(reports: Sequence[FileReport]) -> str:
    """The last line of a report."""
    checked = [report for report in reports if report.problem is None]
    nouns = Counter(_OTHER_NOUNS.get(finding.code, "sync") for report in checked for finding in report.findings)
    if not nouns:
        return f"No syncs found in {_number(len(checked), 'file')}."
    found = [_number(nouns[noun], noun) for noun in ("sync", *_OTHER_NOUNS.values()) if nouns[noun]]
    affected = sum(bool(report.findings) for report in checked)
    total = f"{_number(len(checked), 'file')} checked"
    return f"Found {' and '.join(found)} in {_number(affected, 'file')} ({total})."


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
