"""Reports of files, kept between runs: one holds while it would be made of the same.

A report is made of a file's text, of the waits that are known in it, and of the facts that its fixes look at, in
this file and now and then in others. All of that is the basis of a report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from synclint.memory.entry_files import Entries
from synclint.memory.packed import packed, unpacked
from synclint.results.file_reports import FileReport
from synclint.results.findings_json import report_of, report_values
from synclint.running.seen import Seen


@dataclass(frozen=True)
class _Kept:
    """A report as JSON values, its basis, what was seen in the file, and hashes of what it took from other files."""

    basis: str
    others: dict[str, str]
    seen: msgspec.Raw
    values: msgspec.Raw


@dataclass
class KeptReports:
    """The reports of one project in ``entries`` under ``key``, as one program makes them with the same settings."""

    entries: Entries
    key: str
    limit: int
    _kept: dict[str, _Kept] | None = None
    _new: dict[str, _Kept] = field(default_factory=dict)

    def find(self, path: str, basis: str, other: Callable[[str], str]) -> FileReport | None:
        """The report of a file that has this basis; ``other`` tells what is now taken from another file."""
        kept = self._known().get(path)
        if kept is None or kept.basis != basis or any(other(file) != state for file, state in kept.others.items()):
            return None
        try:
            report = report_of(msgspec.msgpack.decode(kept.values))
        except (msgspec.MsgspecError, ValueError, TypeError, KeyError, AttributeError):
            return None
        self._new[path] = kept
        return report

    def seen_in(self, path: str) -> Seen | None:
        """What was seen in a file when its report was made; None where nothing is known, or it took from others."""
        kept = self._known().get(path)
        if kept is None or kept.others:
            return None
        try:
            return msgspec.msgpack.decode(kept.seen, type=Seen)
        except msgspec.MsgspecError:
            return None

    def takes_from(self, path: str) -> bool:
        """Whether any report takes something from the file at a resolved path."""
        return any(path in kept.others for kept in self._known().values())

    def keep(self, path: str, basis: str, others: Mapping[str, str], seen: Seen, report: FileReport) -> None:
        """Keep a report once all is done, unless something went wrong with it."""
        if report.problem is None and not report.has_failed:
            with suppress(UnicodeEncodeError):  # the text of a file that was not read as UTF-8
                values = msgspec.Raw(msgspec.msgpack.encode(report_values(report)))
                self._new[path] = _Kept(basis, dict(others), msgspec.Raw(msgspec.msgpack.encode(seen)), values)

    def write(self) -> None:
        """Write what is to be kept."""
        kept = self._known()
        # A run may have asked for a few files only.
        all_known = {**{path: old for path, old in kept.items() if Path(path).exists()}, **self._new}
        if all_known != kept:
            self.entries.write_bytes({self.key: packed(all_known)}, self.limit)

    def _known(self) -> dict[str, _Kept]:
        if self._kept is None:
            self._kept = self._read()
        return self._kept

    def _read(self) -> dict[str, _Kept]:
        return unpacked(self.entries.read_bytes(self.key), dict[str, _Kept]) or {}
