"""A baseline: the findings that were there when a project began to use the linter, and may stay.

An entry is a finding's rule, function and statement with the number of times that they occur, so that it
survives edits elsewhere in the file. Paths are relative to the baseline's directory; they are compared,
and never opened.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synclint.anchors import Anchor, anchors
from synclint.file_reports import FileReport
from synclint.findings import Confidence, Finding
from synclint.real_paths import real_path
from synclint.rules import NOT_CHECKED

_VERSION = 1
_SHOWN_STATEMENT = 100

Key = tuple[str, str]


class BaselineError(ValueError):
    """A baseline that cannot be used; the message names the file and what is wrong with it."""


@dataclass(frozen=True, order=True)
class Entry:
    """Findings of one rule in one statement of one function, ``count`` of them.

    ``statement`` may be shortened; ``fingerprint`` stands for the whole of it. ``confidence`` and ``hot``
    say which runs report them.
    """

    path: str
    function: str
    statement: str
    rule: str
    fingerprint: str
    confidence: str
    hot: bool
    count: int

    @property
    def key(self) -> Key:
        """What the findings have that belong to this entry."""
        return self.path, self.fingerprint


@dataclass(frozen=True)
class Baseline:
    """The entries of a baseline file in ``folder``."""

    folder: Path
    entries: tuple[Entry, ...] = ()

    def path_of(self, path: Path) -> str:
        """A checked file's path as entries have it."""
        return Path(os.path.relpath(real_path(path), self.folder)).as_posix()


@dataclass(frozen=True)
class Compared:
    """The reports without what the baseline lists, and the entries of which fewer findings are left.

    Each stale entry counts how many of its findings are gone.
    """

    reports: tuple[FileReport, ...]
    known: int
    stale: tuple[Entry, ...]


CouldFind = Callable[[Entry], bool]


def read_baseline(path: Path) -> Baseline:
    """Read a baseline file. Raises BaselineError."""
    try:
        if not path.is_file():
            raise BaselineError(
                f"{path}: there is no such baseline; `--baseline {path} --write-baseline` makes it"
            )
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BaselineError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BaselineError(f"{path}: is not a baseline: {error}") from None
    if not isinstance(document, dict) or document.get("version") != _VERSION:
        raise BaselineError(f"{path}: is not a baseline of version {_VERSION}; write it anew")
    entries = document.get("entries")
    if not isinstance(entries, list):
        raise BaselineError(f"{path}: is not a baseline: it has no list of entries")
    return Baseline(
        real_path(path.parent), tuple(_entry(path, number, entry) for number, entry in enumerate(entries, 1))
    )


def _entry(path: Path, number: int, entry: object) -> Entry:
    shape: dict[str, type] = {
        "path": str, "function": str, "statement": str, "rule": str,
        "fingerprint": str, "confidence": str, "hot": bool, "count": int,
    }  # fmt: skip
    if not isinstance(entry, dict):
        raise BaselineError(f"{path}: entry {number} is not an object")
    for key, kind in shape.items():
        if not isinstance(entry.get(key), kind):
            raise BaselineError(f"{path}: entry {number} has no {key!r} of type {kind.__name__}")
    if entry["confidence"] not in {level.value for level in Confidence}:
        raise BaselineError(f"{path}: entry {number} has the unknown confidence {entry['confidence']!r}")
    return Entry(**{key: entry[key] for key in shape})


def baseline_text(entries: Iterable[Entry]) -> str:
    """A baseline as it stands in its file: sorted, one key a line, so that it merges well."""
    shown: list[dict[str, Any]] = [vars(entry) for entry in sorted(entries)]
    return json.dumps({"version": _VERSION, "entries": shown}, indent=1, ensure_ascii=False) + "\n"


def entries_of(reports: Iterable[FileReport], baseline: Baseline) -> list[Entry]:
    """The findings of ``reports`` as entries for a baseline; that a file was not checked cannot be among them."""
    found: dict[Key, Entry] = {}
    for report in reports:
        path = baseline.path_of(report.path)
        for finding, anchor in _anchored(report):
            entry = _new_entry(path, finding, anchor)
            before = found.get(entry.key)
            found[entry.key] = replace(entry, count=before.count + 1) if before else entry
    return sorted(found.values())


def _anchored(report: FileReport) -> list[tuple[Finding, Anchor]]:
    listed = [finding for finding in report.findings if finding.code not in NOT_CHECKED]
    return list(zip(listed, anchors(listed, report.source), strict=True)) if listed else []


def _new_entry(path: str, finding: Finding, anchor: Anchor) -> Entry:
    statement = anchor.statement
    if len(statement) > _SHOWN_STATEMENT:
        statement = f"{statement[: _SHOWN_STATEMENT - 1]}…"
    return Entry(
        path=path,
        function=anchor.function,
        statement=statement,
        rule=finding.code,
        fingerprint=anchor.fingerprint,
        confidence=finding.confidence.value,
        hot=finding.context.hot,
        count=1,
    )


def compare(reports: Sequence[FileReport], baseline: Baseline, could_find: CouldFind) -> Compared:
    """Take the findings that the baseline lists out of the reports.

    ``could_find`` says whether this run would have reported what an entry stands for; only then does its
    absence mean that it is gone.
    """
    left = Counter({entry.key: 0 for entry in baseline.entries})
    for entry in baseline.entries:
        left[entry.key] += max(entry.count, 0)
    known = 0
    compared: list[FileReport] = []
    for report in reports:
        path = baseline.path_of(report.path)
        fresh: list[Finding] = [f for f in report.findings if f.code in NOT_CHECKED]
        for finding, anchor in _anchored(report):
            key = (path, anchor.fingerprint)
            if left[key] > 0:
                left[key] -= 1
                known += 1
            else:
                fresh.append(finding)
        compared.append(replace(report, findings=tuple(fresh)))
    stale = (replace(entry, count=left[entry.key]) for entry in baseline.entries if could_find(entry))
    return Compared(tuple(compared), known, tuple(entry for entry in stale if entry.count > 0))


def without(baseline: Baseline, stale: Iterable[Entry]) -> list[Entry]:
    """The entries of a baseline less those that are gone."""
    gone = {entry.key: entry.count for entry in stale}
    kept = [replace(entry, count=entry.count - gone.get(entry.key, 0)) for entry in baseline.entries]
    return [entry for entry in kept if entry.count > 0]
