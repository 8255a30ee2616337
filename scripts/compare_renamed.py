"""Compares what is found in a project with what is found once everything in it has another name.

    python scripts/compare_renamed.py DIRECTORY [--show N]

Whatever the user's functions, classes, variables and attributes are called, the same lines wait, as often, and are said
as confidently and in the same order. Prints what differs, and counts it; the status is 1 where anything does.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from renaming import renamed

from synclint.config import Options
from synclint.findings import Confidence, Phase
from synclint.report.json import json_report
from synclint.running.runner import check_files

EVERYTHING = Options(runs=tuple(Phase), min_confidence=Confidence.LOW)


class Said(NamedTuple):
    """What is said of a line, but for names."""

    file: str
    line: int
    code: str
    runs: str
    confidence: str
    is_inherent: bool
    is_assumed: bool
    reason: str

    @property
    def place(self) -> tuple[str, int, str]:
        """Where which rule says it."""
        return self.file, self.line, self.code

    @property
    def told(self) -> tuple[str, str, bool, bool]:
        """What has to be the same."""
        return self.runs, self.confidence, self.is_inherent, self.is_assumed


def said(files: Mapping[str, str], folder: Path) -> list[Said]:
    """What is said of the files of a project, the most important first."""
    paths = [folder / name for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    reports = list(check_files(paths, [folder], EVERYTHING, 1).reports)
    rows: list[dict[str, Any]] = json.loads(json_report(reports, folder))
    rows.sort(key=lambda row: -float(row["priority"] or 0))
    return [
        Said(
            str(Path(row["filename"]).relative_to(folder)),
            row["location"]["row"],
            row["code"],
            row["context"]["runs"],
            row["confidence"],
            bool(row["context"].get("by_nature")),
            bool(row["context"].get("assumed")),
            row["context"]["reason"],
        )
        for row in rows
        if row["context"] is not None
    ]


def sources(folder: Path) -> dict[str, str]:
    """The Python of a project that can be read."""
    paths = sorted(folder.rglob("*.py"))
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8", errors="replace") for path in paths}


def differences(before: Sequence[Said], after: Sequence[Said]) -> list[str]:
    """What is said of the same lines under other names, and where the order is another one."""
    old, new = ({one.place: one for one in rows} for rows in (before, after))
    found = [
        f"{file}:{line} {code}: {_shown(old.get((file, line, code)))} | {_shown(new.get((file, line, code)))}"
        for file, line, code in sorted(old.keys() | new.keys())
        if (old[file, line, code].told if (file, line, code) in old else None)
        != (new[file, line, code].told if (file, line, code) in new else None)
    ]
    common = old.keys() & new.keys()
    first, second = ([one.place for one in rows if one.place in common] for rows in (before, after))
    moved = sum(one != other for one, other in zip(first, second, strict=True)) if not found else 0
    return [*found, *([f"{moved} findings stand elsewhere in the order"] if moved else [])]


def _shown(one: Said | None) -> str:
    if one is None:
        return "nothing"
    words = [one.runs, one.confidence, "inherent" if one.is_inherent else "", "assumed" if one.is_assumed else ""]
    return f"{' '.join(filter(None, words))} ({one.reason})"


def main() -> int:
    """Compare a project with itself under other names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--show", type=int, default=1000)
    options = parser.parse_args()
    files = sources(options.directory)
    with tempfile.TemporaryDirectory() as scratch:
        before = said(files, Path(scratch).resolve() / "p")
    with tempfile.TemporaryDirectory() as scratch:
        after = said(renamed(files), Path(scratch).resolve() / "p")
    found = differences(before, after)
    for text in found[: options.show]:
        print(text)
    print(f"{len(found)} of {len(before)} findings differ")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
