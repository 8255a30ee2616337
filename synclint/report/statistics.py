"""How often each rule was broken, and how a run ended."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from synclint.report.terminal import Palette
from synclint.rules import SYNTAX_ERROR
from synclint.runner import FileReport


def counts(reports: Sequence[FileReport]) -> list[tuple[int, str, str]]:
    """How often each rule was broken, its code and its name, the most frequent first."""
    counter = Counter((finding.code, finding.name) for report in reports for finding in report.findings)
    return sorted(
        ((count, code, name) for (code, name), count in counter.items()), key=lambda row: (-row[0], row[1])
    )


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
    syncs = broken = 0
    for report in checked:
        errors = sum(finding.code == SYNTAX_ERROR.code for finding in report.findings)
        broken += errors
        syncs += len(report.findings) - errors
    if not syncs and not broken:
        return f"No syncs found in {_number(len(checked), 'file')}."
    found = [_number(syncs, "sync")] if syncs else []
    found += [_number(broken, "syntax error")] if broken else []
    affected = sum(bool(report.findings) for report in checked)
    total = f"{_number(len(checked), 'file')} checked"
    return f"Found {' and '.join(found)} in {_number(affected, 'file')} ({total})."


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
