"""Reports of files, kept between runs: one holds while it would be made of the same.

A report is made of a file's text, of the waits that are known in it, and of the facts that its fixes look at, in
this file and now and then in others. All of that is the basis of a report.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from synclint.memo.packed import compressed, packed, unpacked, unwritten
from synclint.memo.stores import Store
from synclint.results.file_reports import FileReport
from synclint.results.findings_json import report_of, report_values
from synclint.running.seen import SeenInFile, seen_of


@dataclass(frozen=True)
class _ReportEntry:
    """A report, its basis, what was seen in the file, and hashes of what it took from other files.

    Each is packed by itself: most runs ask for few. Of a file that was not checked to its end nothing was ``seen``.
    """

    basis: str
    others: dict[str, str]
    seen: bytes
    values: bytes


@dataclass
class ReportMemo:
    """The reports of one project in ``entries`` under ``key``, as one program makes them with the same settings."""

    entries: Store
    key: str
    _new: dict[str, _ReportEntry] = field(default_factory=dict)

    def find(self, path: str, basis: str, other: Callable[[str], str], source: str) -> FileReport | None:
        """The report of a file that has this basis and text; ``other`` tells what is now taken from another file."""
        kept = self._known.get(path)
        if kept is None or kept.basis != basis or any(other(file) != state for file, state in kept.others.items()):
            return None
        try:
            report = report_of(unpacked(kept.values, dict[str, Any]), lambda _: source)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        self._new[path] = kept
        return report

    def seen_in(self, path: str, basis: str) -> SeenInFile | None:
        """What was seen in a file when the report with a basis was made; None where that is not known."""
        kept = self._known.get(path)
        if kept is None or kept.basis != basis or not kept.seen:
            return None
        try:
            return seen_of(zlib.decompress(kept.seen))
        except (zlib.error, msgspec.MsgspecError):
            return None

    def keep(self, path: str, basis: str, others: Mapping[str, str], seen: bytes | None, report: FileReport) -> None:
        """Keep a report, and what was ``seen``, as it is written, once all is done, unless something went wrong."""
        if report.problem is None and not report.has_failed:
            with suppress(UnicodeEncodeError):  # the text of a file that was not read as UTF-8
                body = b"" if seen is None else compressed(seen)
                self._new[path] = _ReportEntry(basis, dict(others), body, packed(report_values(report)))

    @property
    def bases(self) -> dict[str, str]:
        """The bases of the reports that were found or made in this run, by the paths of their files."""
        return {path: kept.basis for path, kept in self._new.items()}

    @property
    def looked_at(self) -> frozenset[str]:
        """The resolved paths of all files from which these reports take something."""
        return frozenset(other for kept in self._new.values() for other in kept.others)

    def write(self) -> None:
        """Write what is to be kept."""
        kept = self._known
        # A run may have asked for a few files only.
        all_known = {**{path: old for path, old in kept.items() if Path(path).exists()}, **self._new}
        if all_known != kept:
            self.entries.write_bytes({self.key: msgspec.msgpack.encode(all_known)})

    @cached_property
    def _known(self) -> dict[str, _ReportEntry]:
        return unwritten(self.entries.read_bytes(self.key), dict[str, _ReportEntry]) or {}
