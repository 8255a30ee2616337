"""Fixes copies of packages and repositories, and says whether they are as sound afterwards as they were.

    python scripts/fix_real_code.py [--unsafe-fixes] [--book BOOK] [--jobs N] PATH...

Each PATH is a folder of Python files, such as that of an installed package. A copy of its ``*.py`` is fixed. Then every
file has to parse, nothing may be found that was not found before, and a second run may change nothing; the exit status
is 1 where that is not so. BOOK is a JSON file in which statements of repositories are labelled by hand:
``{"repos": [{"repo": "owner/name", "places": [{"file", "line", "end_line", "worth"}]}]}``; for a PATH with the name of
one of them it is told how many of the statements that are worth it have a fix.
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import tempfile
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synclint.config.options import Options
from synclint.fixes.offers import is_offered
from synclint.fixes.rounds import fixed
from synclint.results.file_reports import FileReport
from synclint.results.statements import Statements
from synclint.running.discovery import discover
from synclint.running.runner import check_files


@dataclass(frozen=True)
class Shown:
    """What came of one folder; ``faults`` are sentences about what should not be."""

    name: str
    files: int
    findings: int
    safe: int
    all: int
    made: int
    changed: int
    left: tuple[str, ...]
    faults: tuple[str, ...]
    book: tuple[int, int, int] | None


def show(path: Path, *, unsafe: bool, jobs: int | None, book: Sequence[dict[str, Any]]) -> Shown:
    """Fix a copy of a folder and look at it."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch).resolve() / path.name
        shutil.copytree(path, root, ignore=_only_python)
        files = sorted(discover([root], lambda folder: Options().files).files)

        def check() -> Sequence[FileReport]:
            return tuple(check_files(files, [root], Options(), jobs=jobs).reports)

        before = check()
        found = fixed(before, check, unsafe=unsafe)
        for real, change in found.changes.items():
            with real.open("w", encoding="utf-8", newline="") as stream:
                stream.write(change.after)
        after = check()
        faults = [fault for file in found.changes if (fault := _syntax(file))]
        faults += [f"{code} is found in {where}" for code, where in _news(before, after)]
        faults += [f"a second run changes {file.name}" for file in fixed(after, check, unsafe=unsafe).changes]
        findings = [finding for report in before for finding in report.findings]
        return Shown(
            path.name,
            len(files),
            len(findings),
            sum(is_offered(finding, unsafe=False) for finding in findings),
            sum(is_offered(finding, unsafe=True) for finding in findings),
            sum(sum(counter.values()) for counter in found.counts.values()),
            len(found.changes),
            found.left,
            tuple(faults),
            _covered(before, root, book) if book else None,
        )


def _only_python(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if not (name.endswith(".py") or (Path(folder) / name).is_dir())} | {"__pycache__"}


def _syntax(file: Path) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(file.read_text(encoding="utf-8"))
    except SyntaxError as error:
        return f"{file.name} does not parse: {error}"
    return ""


def _news(before: Sequence[FileReport], after: Sequence[FileReport]) -> list[tuple[str, str]]:
    """The rules that are broken in functions in which they were not, where no fewer findings are left of others."""
    old, shown, left = _by_function(before, everything=True), _by_function(before), _by_function(after)
    were, are = _in_all(shown), _in_all(left)
    return [
        (code, f"{path.name}, {function}")
        for path, code, function in left - old
        if are[path, function] > were[path, function]
    ]


def _in_all(counted: Counter[tuple[Path, str, str]]) -> Counter[tuple[Path, str]]:
    """How many findings each function has, of whatever rule."""
    found: Counter[tuple[Path, str]] = Counter()
    for (path, _, function), count in counted.items():
        found[path, function] += count
    return found


def _by_function(reports: Sequence[FileReport], *, everything: bool = False) -> Counter[tuple[Path, str, str]]:
    counted: Counter[tuple[Path, str, str]] = Counter()
    for report in reports:
        places = Statements(report.source)
        for finding in (*report.findings, *((*report.unshown, *report.unsure) if everything else ())):
            counted[report.path, finding.code, places.at(finding.span.start).function] += 1
    return counted


def _covered(reports: Sequence[FileReport], root: Path, places: Sequence[dict[str, Any]]) -> tuple[int, int, int]:
    """Of the statements that are worth it how many there are, have a safe fix, and have any fix."""
    by_file = {report.path.relative_to(root).as_posix(): report.findings for report in reports}
    worth = [place for place in places if place["worth"]]
    safe = fixable = 0
    for place in worth:
        here = [
            finding
            for finding in by_file.get(place["file"], ())
            if finding.span.start.line <= place.get("end_line", place["line"])
            and place["line"] <= finding.span.end.line
        ]
        safe += any(is_offered(finding, unsafe=False) for finding in here)
        fixable += any(is_offered(finding, unsafe=True) for finding in here)
    return len(worth), safe, fixable


def main() -> int:
    """Show what the arguments name; 1 where something is wrong with what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--unsafe-fixes", action="store_true")
    parser.add_argument("--book", type=Path)
    parser.add_argument("--jobs", type=int)
    options = parser.parse_args()
    repos = json.loads(options.book.read_text(encoding="utf-8"))["repos"] if options.book else []
    by_name = {entry["repo"].rpartition("/")[2]: entry["places"] for entry in repos}
    shown = []
    for path in options.paths:
        places = by_name.get(path.name, ())
        one = show(path, unsafe=options.unsafe_fixes, jobs=options.jobs, book=places)
        shown.append(one)
        line = f"{one.name:<24} {one.files:5} files {one.findings:5} findings {one.safe:5} safe {one.all:5} in all"
        line += f" {one.made:5} made in {one.changed} files"
        if one.book is not None:
            line += "; worth it {}: {} safe, {} in all".format(*one.book)
        print(line, flush=True)
        for sentence in (*one.left, *one.faults):
            print(f"    {sentence}", flush=True)
    books = [one.book for one in shown if one.book is not None]
    if books:
        worth, safe, fixable = (sum(column) for column in zip(*books, strict=True))
        shares = f"{safe / worth:.0%} safe ({safe}), {fixable / worth:.0%} in all ({fixable})"
        print(f"of {worth} statements that are worth it: {shares}")
    return int(any(one.faults for one in shown))


if __name__ == "__main__":
    raise SystemExit(main())
