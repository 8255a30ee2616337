"""Sources whose comments say what the linter must find.

``# sync: SYN101`` ends a line that is reported by default, ``# cold: SYN201`` one that is reported only with
``--cold``, and ``# eval: SYN201``, likewise every other phase but the step, one of which that phase is said.
``# sync[torchmetrics=1.6]: SYN501`` holds for that release of a library besides what else the line says. An
expression of several lines is marked where it begins.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synclint.analysis.project import ProjectAnalysis
from synclint.catalog.entries import load_catalog
from synclint.config import Options
from synclint.findings import Finding, Phase
from synclint.rules.loading import load_rules
from synclint.rules.matching import findings

_PHASES = {phase.value for phase in Phase} - {Phase.STEP.value}
_KIND = "|".join(sorted({"sync", "cold", *_PHASES}))
_MARK = re.compile(rf"#\s*({_KIND})(?:\[(\w+)=([\d.]+)\])?:\s*(SYN\d{{3}}(?:,\s*SYN\d{{3}})*)")
_MISTAKEN_MARK = re.compile(rf"#\s*({_KIND})(?::|\[|\s+SYN)")


@dataclass(frozen=True, order=True)
class MarkedLine:
    """A line of a file and the code that is, or must be, reported there."""

    file: str
    line: int
    code: str


def marked(file: str, source: str, *, cold: bool, library_versions: Mapping[str, str]) -> set[MarkedLine]:
    """The places that the comments of a source ask for; ValueError for a comment that is nearly a mark."""
    return {place for kind, place in _marks(file, source, library_versions) if kind == "sync" or cold}


def marked_phases(file: str, source: str) -> set[tuple[MarkedLine, str]]:
    """The places whose marks say in which phase they run, and that phase."""
    return {(place, kind) for kind, place in _marks(file, source, {}) if kind in _PHASES}


def _marks(file: str, source: str, library_versions: Mapping[str, str]) -> Iterator[tuple[str, MarkedLine]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        marks = _MARK.findall(token.string)
        if len(marks) != len(_MISTAKEN_MARK.findall(token.string)):
            raise ValueError(f"{file}:{token.start[0]}: {token.string!r} is no mark")
        for kind, library, version, codes in marks:
            if library and library_versions.get(library) != version:
                continue
            for code in codes.split(","):
                yield kind, MarkedLine(file, token.start[0], code.strip())


def findings_in(
    paths: Sequence[Path],
    root: Path,
    *,
    torch_version: str | None = None,
    library_versions: Mapping[str, str] | None = None,
) -> list[Finding]:
    """Everything that the rules say about some files of one project, however cold or doubtful."""
    project = ProjectAnalysis([root], torch_version=torch_version, library_versions=dict(library_versions or {}))
    events = [event for path in paths for event in project.check(path, path.read_text(encoding="utf-8"))]
    return findings(events, load_rules(), load_catalog())


def places_of(reported: Iterable[Finding], root: Path, *, cold: bool) -> set[MarkedLine]:
    """Where findings begin, of those that a run with or without ``--cold`` shows."""
    options = Options(cold=cold)
    return {
        MarkedLine(Path(finding.filename).relative_to(root).as_posix(), finding.span.start.line, finding.code)
        for finding in reported
        if options.admits(finding)
    }


def phases_of(reported: Iterable[Finding], root: Path) -> dict[MarkedLine, set[str]]:
    """Where findings begin, and the phases in which they are said to run."""
    found: dict[MarkedLine, set[str]] = {}
    for finding in reported:
        file = Path(finding.filename).relative_to(root).as_posix()
        found.setdefault(MarkedLine(file, finding.span.start.line, finding.code), set()).add(finding.context.runs.value)
    return found


def disagreement(expected: set[MarkedLine], reported: set[MarkedLine]) -> str:
    """What is missing and what is too much, one place a line; empty where both agree."""
    missing = [f"missed  {place.file}:{place.line} {place.code}" for place in sorted(expected - reported)]
    surplus = [f"surplus {place.file}:{place.line} {place.code}" for place in sorted(reported - expected)]
    return "\n".join(missing + surplus)
