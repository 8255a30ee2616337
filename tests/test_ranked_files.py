"""A file is ranked beside all others by itself, and gets what it gets where all of them are ranked together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from synclint.findings import CallPlace, Confidence, Context, Finding, Phase, Position, Severity, Span
from synclint.results.file_reports import FileReport
from synclint.results.ranked_files import RankedFiles
from synclint.results.ranking import ranked

FILES = (
    "train.py",
    "segment/train.py",
    "segment/loss.py",
    "optim/a.py",
    "optim/b.py",
    "optim/old_b.py",
    "lib/train.py",
)


def _report(filename: str, chosen: Random) -> FileReport:
    """A report with findings that have causes in common with one another, and with those of other files."""
    found: list[Finding] = []
    for line in range(1, chosen.randrange(1, 7)):
        phase = chosen.choice((Phase.STEP, Phase.STEP, Phase.EVAL, Phase.ONCE))
        path = (CallPlace("main", chosen.choice(FILES), 3),) if chosen.random() < 0.3 else ()
        finding = Finding(
            chosen.choice(("SYN201", "SYN401")),
            "name",
            "",
            filename,
            Span(Position(line, 1), Position(line, 2)),
            Severity.WARNING,
            Confidence.HIGH,
            chosen.choice(("scalar-read", "host-to-device-copy")),
            Context(phase, "", path=path, trains=chosen.random() < 0.3),
            subject=chosen.choice(("", "x")),
            cause=chosen.choice(("", "lib/loss.py:3", "lib/loss.py:4")),
        )
        group = f"{filename}:{chosen.choice('abc')}"
        found.append(
            replace(
                finding,
                function=chosen.choice("fg"),
                group=group,
                repeats=any(other.group == group for other in found),
                copy=chosen.choice(("one", "two", "three")),
                priority=chosen.choice((700.0, 710.0, 805.5)),
            )
        )
    if chosen.random() < 0.2:
        found.append(replace(found[0], code="SYN001") if found else _unknown(filename))
    return FileReport(Path(filename), tuple(found))


def _unknown(filename: str) -> Finding:
    span = Span(Position(1, 1), Position(1, 2))
    context = Context(Phase.ONCE, "")
    return Finding("SYN000", "", "", filename, span, Severity.ERROR, Confidence.HIGH, "", context)


@pytest.mark.parametrize("seed", range(20))
def test_after_any_replacements_each_file_is_ranked_as_in_a_run_over_all(seed: int) -> None:
    chosen = Random(seed)
    reports = {name: _report(name, chosen) for name in sorted(FILES)}
    held = RankedFiles(reports.values())
    for _ in range(10):
        name = chosen.choice(FILES)
        reports[name] = _report(name, chosen)
        held.replace(reports[name])
        for path, whole in zip(sorted(FILES), ranked(list(reports.values())), strict=True):
            assert held.ranked(Path(path)) == whole
