"""Sources whose comments say what the linter must find.

``# sync: SYN101`` ends a line that is reported by default, ``# cold: SYN201`` one that only ``--cold``
reports. ``# sync[torchmetrics=1.6]: SYN501`` holds for that release of a library besides what else the
line says. An expression of several lines is marked where it begins.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synclint.analysis.project import Project
from synclint.catalog.entries import load_catalog
from synclint.config import Options
from synclint.findings import Finding
from synclint.rules import findings, load_rules

_MARK = re.compile(r"#\s*(sync|cold)(?:\[(\w+)=([\d.]+)\])?:\s*(SYN\d{3}(?:,\s*SYN\d{3})*)")
_MISTAKEN_MARK = re.compile(r"#\s*(sync|cold)\b")


@dataclass(frozen=True, order=True)
class Place:
    """A line of a file and the code that is, or must be, reported there."""

    file: str
    line: int
    code: str


def marked(file: str, source: str, *, cold: bool, library_versions: Mapping[str, str]) -> set[Place]:
    """The places that the comments of a source ask for; ValueError for a comment that is nearly a mark."""
    places = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        marks = _MARK.findall(token.string)
        if len(marks) != len(_MISTAKEN_MARK.findall(token.string)):
            raise ValueError(f"{file}:{token.start[0]}: {token.string!r} is no mark")
        for kind, library, version, codes in marks:
            if (kind == "cold" and not cold) or (library and library_versions.get(library) != version):
                continue
            places |= {Place(file, token.start[0], code.strip()) for code in codes.split(",")}
    return places


def findings_in(
    paths: Sequence[Path],
    root: Path,
    *,
    torch_version: str | None = None,
    library_versions: Mapping[str, str] | None = None,
) -> list[Finding]:
    """Everything that the rules say about some files of one project, however cold or doubtful."""
    project = Project([root], torch_version=torch_version, library_versions=dict(library_versions or {}))
    events = [event for path in paths for event in project.check(path, path.read_text(encoding="utf-8"))]
    return findings(events, load_rules(), load_catalog())


def places_of(reported: Iterable[Finding], root: Path, *, cold: bool) -> set[Place]:
    """Where findings begin, of those that a run with or without ``--cold`` shows."""
    options = Options(cold=cold)
    return {
        Place(Path(finding.filename).relative_to(root).as_posix(), finding.span.start.line, finding.code)
        for finding in reported
        if options.admits(finding)
    }


def disagreement(expected: set[Place], reported: set[Place]) -> str:
    """What is missing and what is too much, one place a line; empty where both agree."""
    missing = [f"missed  {place.file}:{place.line} {place.code}" for place in sorted(expected - reported)]
    surplus = [f"surplus {place.file}:{place.line} {place.code}" for place in sorted(reported - expected)]
    return "\n".join(missing + surplus)
