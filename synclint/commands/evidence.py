"""``synclint check --evidence``: findings in the order of what they were measured to cost in a traced run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from synclint.findings import Finding
from synclint.results.file_reports import FileReport
from synclint.results.statements import Statements
from synclint.rules.own import OWN
from synclint.sources.comments import LINE_END
from synclint.trace.report import ReportedWait, TraceReport
from synclint.trace.report_json import UnreadableReportError, read_report
from synclint.trace.report_text import quantity

# Above every priority that the linter gives: what was measured in milliseconds, and what was only counted.
_MEASURED = 10_000.0
_COUNTED = 2_000.0


@dataclass(frozen=True)
class Cost:
    """What a finding was seen to cost: waits in all and per step, and milliseconds per step where measured."""

    count: int
    per_step: float
    blocked_ms: float | None

    @property
    def priority(self) -> float:
        """Where it comes among the findings."""
        if self.blocked_ms is not None:
            return _MEASURED + self.blocked_ms
        return _COUNTED + min(self.per_step, _MEASURED - _COUNTED - 1)

    def __str__(self) -> str:
        time = "" if self.blocked_ms is None else f", {self.blocked_ms:.3f} ms"
        often = f"{quantity(self.per_step)} per step" if self.per_step else f"{self.count} in total, none in a step"
        return f"measured: {often}{time}"


def read_evidence(path: Path) -> TraceReport:
    """The report to go by. Raises ClickException."""
    try:
        return read_report(path)
    except UnreadableReportError as error:
        raise click.ClickException(str(error)) from None


def with_costs(
    reports: Iterable[FileReport], evidence: TraceReport, folder: Path, *, only_measured: bool
) -> tuple[list[FileReport], list[str]]:
    """The reports with their findings' costs, and what is to be said of evidence that fits nowhere, a sentence each.

    A finding that was measured is told whatever its phase and confidence: it has been seen. ``folder`` is where the
    linter runs (absolute); a run that was traced elsewhere is recognized by paths relative to where it took place.
    """
    waits: dict[Path, list[ReportedWait]] = defaultdict(list)
    for wait in evidence.waits:
        waits[_here(wait, evidence, folder)].append(wait)
    result, stale = [], 0
    for report in reports:
        own = waits.get(_absolute(report.path, folder), [])
        if report.problem is not None or report.embedded is not None:
            result.append(report)
            continue
        costs, lost = _costs(report, own)
        stale += lost
        hidden = (*report.unshown, *report.unsure)
        findings = [
            *(
                _with_cost(finding, costs.get(finding))
                for finding in report.findings
                if not only_measured or finding in costs or finding.code in OWN
            ),
            *(_with_cost(finding, costs[finding]) for finding in hidden if finding in costs),
        ]
        findings.sort(key=lambda finding: finding.span)
        result.append(
            replace(
                report,
                findings=tuple(findings),
                unshown=tuple(finding for finding in report.unshown if finding not in costs),
                unsure=tuple(finding for finding in report.unsure if finding not in costs),
            )
        )
    notes = []
    if stale:
        lines = "line that waits has" if stale == 1 else "lines that wait have"
        notes.append(f"{stale} {lines} changed since the evidence was recorded; trace the program again")
    return result, notes


def _here(wait: ReportedWait, evidence: TraceReport, folder: Path) -> Path:
    path, origin = Path(wait.place.file), Path(evidence.header.folder)
    if not path.exists() and path.is_relative_to(origin):
        return folder / path.relative_to(origin)
    return path


def _absolute(path: Path, folder: Path) -> Path:
    return path if path.is_absolute() else folder / path


def _costs(report: FileReport, waits: Sequence[ReportedWait]) -> tuple[dict[Finding, Cost], int]:
    """The findings that were seen waiting, and how many lines of the evidence are no longer there."""
    findings = [finding for finding in (*report.findings, *report.unshown, *report.unsure) if finding.code not in OWN]
    if not findings or not waits:
        return {}, 0
    lines = [line.strip() for line in LINE_END.split(report.source)]
    statements = Statements(report.source)
    spans = {finding: statements.at(finding.span.start) for finding in findings}
    seen: dict[Finding, list[ReportedWait]] = defaultdict(list)
    stale = 0
    for wait in waits:
        line = _line_now(wait, lines)
        if line is None:
            stale += 1
            continue
        here = [finding for finding in findings if spans[finding].first <= line <= spans[finding].last]
        for finding in [one for one in here if one.code == wait.code] or here[:1]:
            seen[finding].append(wait)
    return {finding: _sum(own) for finding, own in seen.items()}, stale


def _line_now(wait: ReportedWait, lines: Sequence[str]) -> int | None:
    """Where the line stands now that was measured: the nearest with the same text."""
    same = [number for number, text in enumerate(lines, start=1) if text == wait.text]
    return min(same, key=lambda number: abs(number - wait.place.line), default=None)


def _sum(waits: Sequence[ReportedWait]) -> Cost:
    measured = [wait.blocked_ms for wait in waits if wait.blocked_ms is not None]
    return Cost(
        sum(wait.count for wait in waits), sum(wait.per_step for wait in waits), sum(measured) if measured else None
    )


def _with_cost(finding: Finding, cost: Cost | None) -> Finding:
    if cost is None:
        return finding
    return replace(finding, message=f"{finding.message} ({cost})", priority=cost.priority)
