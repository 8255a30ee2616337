"""What people are told as one: the findings of one group, and the order of such entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from synclint.findings import Finding
from synclint.report.results import CheckedFile
from synclint.rules.own import OWN


@dataclass(frozen=True)
class Entry:
    """Findings of one file with one cause, of which the first stands for the others."""

    file: CheckedFile
    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The finding that stands for all."""
        return self.findings[0]

    @property
    def is_wait(self) -> bool:
        """Whether it tells of a wait, and not of a comment or of a file that was not checked."""
        return self.first.code not in OWN


def entries_of(file: CheckedFile) -> list[Entry]:
    """The entries of one file, in the order of the places where their first findings stand."""
    groups: dict[str, list[Finding]] = {}
    for number, finding in enumerate(file.findings):
        groups.setdefault(finding.group or f"alone {number}", []).append(finding)
    return [Entry(file, tuple(sorted(group, key=_standing_first))) for group in groups.values()]


def by_priority(files: Iterable[CheckedFile]) -> list[Entry]:
    """The entries of all files: what matters most first, and among equals the order of paths and places."""
    return sorted((entry for file in files for entry in entries_of(file)), key=lambda entry: -entry.first.priority)


def sections(entries: Iterable[Entry]) -> Iterator[tuple[Entry, list[Entry]]]:
    """Neighbouring entries of one phase, with the first of them; what is no wait is a section of its own."""
    section: list[Entry] = []
    for entry in entries:
        if section and _section(entry) != _section(section[0]):
            yield section[0], section
            section = []
        section.append(entry)
    if section:
        yield section[0], section


def _section(entry: Entry) -> object:
    context = entry.first.context
    return entry.is_wait and (context.captured is not None or context.runs)


def _standing_first(finding: Finding) -> tuple[bool, float, object]:
    return finding.repeats, -finding.priority, finding.span
