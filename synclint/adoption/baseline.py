"""A baseline: the findings that were there when a project began to use the linter, and may stay.

An entry is a finding's rule, function and statement with the number of times that they occur, so that it
survives edits elsewhere in the file, and the renaming of the file. Paths are relative to the baseline's directory; they
are compared, and never opened.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from synclint.adoption.anchors import Anchor, anchors
from synclint.files.bounded_files import read_at_most
from synclint.files.real_paths import real_path
from synclint.findings import Confidence, Finding, Phase
from synclint.results.file_reports import FileReport
from synclint.rules.own import NOT_CHECKED

_VERSION = 2
# The first version knew hot and cold code only, and not which paths it was written for.
_FIRST_VERSION = 1
_SHOWN_STATEMENT = 100
_MOST_BYTES = 256 * 2**20
_MOST_COUNTED = 10**9

Key = tuple[str, str]


class BaselineError(ValueError):
    """A baseline that cannot be used; the message names the file and what is wrong with it."""


@dataclass(frozen=True, order=True)
class Entry:
    """Findings of one rule in one statement of one function, ``count`` of them.

    ``statement`` may be shortened; ``fingerprint`` stands for the whole of it. ``confidence``, ``runs``, the phase, and
    ``by_nature`` say which runs of the linter report them.
    """

    path: str
    function: str
    statement: str
    rule: str
    fingerprint: str
    confidence: str
    runs: str
    count: int
    by_nature: bool = False

    @property
    def key(self) -> Key:
        """What the findings have that belong to this entry."""
        return self.path, self.fingerprint


@dataclass(frozen=True)
class Baseline:
    """The entries of a baseline file in ``folder``, and the ``paths`` that it was written for."""

    folder: Path
    entries: tuple[Entry, ...] = ()
    paths: tuple[str, ...] = ()

    def path_of(self, path: Path) -> str:
        """A checked file's path as entries have it."""
        return Path(os.path.relpath(real_path(path), self.folder)).as_posix()

    def is_covered_by(self, paths: Iterable[Path]) -> bool:
        """Whether a run over ``paths`` looks at all that the baseline was written for.

        Where it does not say so, as in the first version, that is what it lists.
        """
        named = [real_path(path) for path in paths]
        listed = self.paths or {entry.path for entry in self.entries}
        absolute = (Path(os.path.normpath(self.folder / path)) for path in listed)
        return all(any(path.is_relative_to(root) for root in named) for path in absolute)

    def has_lost(self, path: str) -> bool:
        """Whether there is no file any more at the path of an entry, which lies in the baseline's directory."""
        inside = not PurePosixPath(path).is_absolute() and ".." not in PurePosixPath(path).parts
        return inside and not (self.folder / path).exists()


@dataclass(frozen=True)
class Compared:
    """The reports without what the baseline lists, and the entries of which fewer findings are left.

    Each stale entry counts how many of its findings are gone. ``moved`` are entries as they should be now, whose
    findings were found in another file because their own is gone, and ``left_behind`` what they were.
    """

    reports: tuple[FileReport, ...]
    known: int
    stale: tuple[Entry, ...]
    moved: tuple[Entry, ...] = ()
    left_behind: tuple[Entry, ...] = ()


CouldFind = Callable[[Entry], bool]


def read_baseline(path: Path) -> Baseline:
    """Read a baseline file. Raises BaselineError."""
    try:
        if not path.is_file():
            raise BaselineError(f"{path}: no such baseline; create it with `--baseline {path} --write-baseline`")
        document = json.loads(read_at_most(path, _MOST_BYTES, "a baseline").decode("utf-8"))
    except BaselineError:
        raise
    except OSError as error:
        raise BaselineError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BaselineError(f"{path}: is not a baseline: {error}") from None
    except ValueError:  # Python refuses to read a number of thousands of digits
        raise BaselineError(f"{path}: is not a baseline: a number in it has too many digits") from None
    if not isinstance(document, dict) or document.get("version") not in (_VERSION, _FIRST_VERSION):
        raise BaselineError(f"{path}: is not a baseline of version {_VERSION}; write it again")
    entries, paths = document.get("entries"), document.get("paths", [])
    if not isinstance(entries, list):
        raise BaselineError(f"{path}: is not a baseline: it has no list of entries")
    if not isinstance(paths, list) or not all(isinstance(item, str) for item in paths):
        raise BaselineError(f"{path}: is not a baseline: its paths are not a list of strings")
    return Baseline(
        real_path(path.parent),
        tuple(_entry(path, number, entry) for number, entry in enumerate(entries, 1)),
        tuple(paths),
    )


def _entry(path: Path, number: int, entry: object) -> Entry:
    shape: dict[str, type] = {
        "path": str, "function": str, "statement": str, "rule": str,
        "fingerprint": str, "confidence": str, "runs": str, "count": int,
    }  # fmt: skip
    if not isinstance(entry, dict):
        raise BaselineError(f"{path}: entry {number} is not an object")
    if isinstance(entry.get("hot"), bool) and "runs" not in entry:
        entry = {**entry, "runs": (Phase.STEP if entry["hot"] else Phase.ONCE).value}
    for key, kind in shape.items():
        if not isinstance(entry.get(key), kind):
            raise BaselineError(f"{path}: entry {number} has no {key!r} of type {kind.__name__}")
    if entry["confidence"] not in {level.value for level in Confidence}:
        raise BaselineError(f"{path}: entry {number} has the unknown confidence {entry['confidence']!r}")
    if entry["runs"] not in {phase.value for phase in Phase}:
        raise BaselineError(f"{path}: entry {number} has the unknown phase {entry['runs']!r}")
    if not 0 < entry["count"] <= _MOST_COUNTED:
        raise BaselineError(f"{path}: entry {number} has a count of {_MOST_COUNTED} or more, or of zero")
    return Entry(**{key: entry[key] for key in shape}, by_nature=entry.get("by_nature") is True)


def baseline_text(entries: Iterable[Entry], paths: Iterable[str]) -> str:
    """A baseline for ``paths`` as it stands in its file: sorted, one key a line, so that it merges well."""
    shown: list[dict[str, Any]] = [_values(entry) for entry in sorted(entries)]
    document = {"version": _VERSION, "paths": sorted(set(paths)), "entries": shown}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _values(entry: Entry) -> dict[str, Any]:
    """An entry as it stands in the file, which says of few that they wait by nature."""
    return {key: value for key, value in vars(entry).items() if key != "by_nature" or value}


def entries_of(reports: Iterable[FileReport], baseline: Baseline) -> list[Entry]:
    """The findings of ``reports`` as entries for a baseline; that a file was not checked cannot be among them."""
    return joined(
        _new_entry(baseline.path_of(report.path), finding, anchor)
        for report in reports
        for finding, anchor in _anchored(report.findings, report.source)
    )


def _anchored(findings: Iterable[Finding], source: str) -> list[tuple[Finding, Anchor]]:
    listed = [finding for finding in findings if finding.code not in NOT_CHECKED]
    return list(zip(listed, anchors(listed, source), strict=True)) if listed else []


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
        runs=finding.context.runs.value,
        count=1,
        by_nature=finding.context.by_nature,
    )


def compare(reports: Sequence[FileReport], baseline: Baseline, could_find: CouldFind) -> Compared:
    """Take the findings that the baseline lists out of the reports, also out of what they count without showing it.

    ``could_find`` says whether this run would have reported what an entry stands for; only then does its
    absence mean that it is gone. What is found in another file belongs to an entry whose own file is gone.
    """
    ledger = _Ledger(baseline)
    reports = [ledger.without_listed(report) for report in reports]
    reports = [ledger.without_moved(report) for report in reports]
    gone = (replace(entry, count=ledger.left[entry.key]) for entry in baseline.entries if could_find(entry))
    stale = tuple(entry for entry in gone if entry.count > 0)
    return Compared(tuple(reports), ledger.known, stale, tuple(ledger.moved), tuple(ledger.left_behind))


class _Ledger:
    """How many findings of each entry of a baseline have not been found yet."""

    def __init__(self, baseline: Baseline) -> None:
        self.left: Counter[Key] = Counter()
        self.known = 0
        self.moved: list[Entry] = []
        self.left_behind: list[Entry] = []
        self._baseline = baseline
        for entry in baseline.entries:
            self.left[entry.key] += max(entry.count, 0)

    def without_listed(self, report: FileReport) -> FileReport:
        """A report without what is listed for its file."""
        path = self._baseline.path_of(report.path)
        return self._without(report, lambda finding, anchor: (path, anchor.fingerprint))

    def without_moved(self, report: FileReport) -> FileReport:
        """A report without what is listed for files that are gone."""
        path = self._baseline.path_of(report.path)

        def moved(finding: Finding, anchor: Anchor) -> Key | None:
            key = next((key for key in self._lost.get(anchor.fingerprint, ()) if self.left[key] > 0), None)
            if key is not None:
                self.moved.append(_new_entry(path, finding, anchor))
                self.left_behind.append(replace(self.moved[-1], path=key[0]))
            return key

        return self._without(report, moved) if self._lost else report

    @cached_property
    def _lost(self) -> dict[str, list[Key]]:
        """What has not been found of entries whose files are gone, by the fingerprint."""
        lost: dict[str, list[Key]] = {}
        for path, fingerprint in dict.fromkeys(entry.key for entry in self._baseline.entries):
            if self.left[path, fingerprint] > 0 and self._baseline.has_lost(path):
                lost.setdefault(fingerprint, []).append((path, fingerprint))
        return lost

    def _without(self, report: FileReport, key_of: Callable[[Finding, Anchor], Key | None]) -> FileReport:
        # What is shown comes first: an entry stands rather for that than for what is only counted.
        findings = self._left(report.findings, report.source, key_of)
        self.known += len(report.findings) - len(findings)
        return replace(
            report,
            findings=findings,
            unshown=self._left(report.unshown, report.source, key_of),
            unsure=self._left(report.unsure, report.source, key_of),
        )

    def _left(
        self, findings: Sequence[Finding], source: str, key_of: Callable[[Finding, Anchor], Key | None]
    ) -> tuple[Finding, ...]:
        kept = [finding for finding in findings if finding.code in NOT_CHECKED]
        for finding, anchor in _anchored(findings, source):
            key = key_of(finding, anchor)
            if key is None or self.left[key] <= 0:
                kept.append(finding)
            else:
                self.left[key] -= 1
        return tuple(kept)


def joined(entries: Iterable[Entry]) -> list[Entry]:
    """Entries, those for the same findings added up."""
    found: dict[Key, Entry] = {}
    for entry in entries:
        before = found.get(entry.key)
        found[entry.key] = replace(entry, count=before.count + entry.count) if before else entry
    return sorted(found.values())


def without(baseline: Baseline, stale: Iterable[Entry]) -> list[Entry]:
    """The entries of a baseline less those that are gone."""
    gone = {entry.key: entry.count for entry in joined(stale)}
    kept = [replace(entry, count=entry.count - gone.get(entry.key, 0)) for entry in baseline.entries]
    return [entry for entry in kept if entry.count > 0]
