"""What the linter says of the files that ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from synclint.catalog.entries import load_catalog
from synclint.config.configurations import Configurations
from synclint.config.files import ConfigurationError
from synclint.config.options import Options
from synclint.findings import Confidence, Phase
from synclint.results.file_reports import FileReport
from synclint.results.statements import Statements
from synclint.rules.own import ANALYSIS_LIMIT, INTERNAL_ERROR, SYNTAX_ERROR
from synclint.trace.records import Run
from synclint.trace.report import StaticFinding

# What the linter looks for in a run: whatever it suspects, however rarely it runs.
_ALL = {"runs": tuple(Phase), "min_confidence": Confidence.LOW, "baseline": None}
_OURS = ("SYN0",)
_UNFINISHED = frozenset(rule.code for rule in (SYNTAX_ERROR, ANALYSIS_LIMIT, INTERNAL_ERROR))


def static_findings(run: Run) -> tuple[tuple[StaticFinding, ...], str | None]:
    """Findings of every phase and confidence in the user's files that ran; what kept the linter from it, if anything.

    The settings are otherwise those that hold for each file.
    """
    return findings_in(run.files, run.header.folder)


def findings_in(names: Iterable[str], folder: str = ".") -> tuple[tuple[StaticFinding, ...], str | None]:
    """The same for files by their names, those of them that are Python; ``folder`` is where the run began."""
    from synclint.running.runner import check_files

    files = sorted(Path(file) for file in names if file.endswith(".py") and Path(file).is_file())
    configurations = Configurations(_ALL)
    alike: dict[Options, list[Path]] = {}
    try:
        for file in files:
            alike.setdefault(configurations.of(file.parent).options, []).append(file)
    except ConfigurationError as error:
        return (), "; ".join(map(str, error.problems))
    found: list[StaticFinding] = []
    problems: list[str] = []
    for options, group in alike.items():
        # One process: Python is at its end already, and starts no more of them.
        for report in check_files(group, [Path(folder), *group], options, jobs=1).reports:
            found.extend(_findings(report))
            problems.extend(_problems(report))
    return tuple(found), "; ".join(problems) or None


def _problems(report: FileReport) -> Iterator[str]:
    """What kept a file from being checked to its end: of its waits nobody can say that they were missed."""
    if report.problem:
        yield f"{report.path}: {report.problem}"
    for finding in report.findings:
        if finding.code in _UNFINISHED:
            yield f"{report.path}:{finding.span.start.line}: {finding.message}"


def _findings(report: FileReport) -> Iterator[StaticFinding]:
    statements = Statements(report.source)
    entries = load_catalog().by_id
    # What is suppressed, or accepted, was predicted: nobody has missed it.
    for number, finding in enumerate((*report.findings, *report.suppressed, *report.accepted)):
        if finding.code.startswith(_OURS):
            continue
        statement = statements.at(finding.span.start)
        suppressed = number >= len(report.findings)
        yield StaticFinding(
            file=str(report.path),
            line=finding.span.start.line,
            first=min(statement.first, finding.span.start.line),
            last=max(statement.last, finding.span.start.line),
            code=finding.code,
            name=finding.name,
            message=finding.message,
            mechanism=finding.mechanism,
            confidence=finding.confidence,
            runs=finding.context.runs,
            suppressed=suppressed,
            # Who accepts a wait does not ask what to write instead of it.
            instead="" if suppressed else finding.instead,
            calls=tuple((call.path, call.line) for call in finding.context.path),
            later_in=entry.later_in if (entry := entries.get(finding.construct)) is not None else (),
        )
