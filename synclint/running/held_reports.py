"""The reports of a project that is held open: one holds while it would be made of the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from synclint.results.file_reports import FileReport


@dataclass
class HeldReports:
    """Reports by the paths of their files, each with its basis and hashes of what it took from other files."""

    _held: dict[str, tuple[str, Mapping[str, str], FileReport]] = field(default_factory=dict)

    def find(self, path: str, basis: str, other: Callable[[str], str], source: str) -> FileReport | None:
        """The report of a file that has this basis and text; ``other`` tells what is now taken from another file."""
        held, others, report = self._held.get(path, ("", {}, None))
        holds = held == basis and all(other(file) == state for file, state in others.items())
        return report if holds else None

    def keep(self, path: str, basis: str, others: Mapping[str, str], seen: bytes | None, report: FileReport) -> None:
        """Hold a report; what was ``seen`` is known to the project itself."""
        if not report.has_failed:
            self._held[path] = basis, others, report
