"""What people are told as one: the findings of one group, in one file or several, and the order of such entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from synclint.findings import Finding
from synclint.report.results import CheckedFile
from synclint.rules.own import OWN


class LocatedFinding(NamedTuple):
    """A finding in its file."""

    file: CheckedFile
    finding: Finding


@dataclass(frozen=True)
class Entry:
    """Findings with one cause, of which the first stands for the others."""

    places: tuple[LocatedFinding, ...]

    @property
    def file(self) -> CheckedFile:
        """The file of the finding that stands for all."""
        return self.places[0].file

    @property
    def first(self) -> Finding:
        """The finding that stands for all."""
        return self.places[0].finding

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, the one that stands for all first."""
        return tuple(place.finding for place in self.places)

    @property
    def is_wait(self) -> bool:
        """Whether it tells of a wait, and not of a comment or of a file that was not checked."""
        return self.first.code not in OWN


def entries_of(*files: CheckedFile) -> list[Entry]:
    """The entries of files together, in the order of the places where their first findings stand."""
    groups: dict[object, list[LocatedFinding]] = {}
    for file in files:
        for number, finding in enumerate(file.findings):
            groups.setdefault(finding.group or (file.path, number), []).append(LocatedFinding(file, finding))
    return [Entry(tuple(sorted(group, key=_standing_first))) for group in groups.values()]


def by_priority(files: Iterable[CheckedFile]) -> list[Entry]:
    """The entries of all files: what matters most first, and among equals the order of paths and places."""
    return sorted(entries_of(*files), key=lambda entry: -entry.first.priority)


def sections(entries: Iterable[Entry]) -> Iterator[tuple[Entry, list[Entry]]]:
    """Neighbouring entries of one phase, known or assumed, with the first of them; what is no wait is by itself."""
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
    return entry.is_wait and (context.captured is not None or (context.runs, context.assumed))


def _standing_first(place: LocatedFinding) -> tuple[object, ...]:
    finding = place.finding
    return finding.repeats, -finding.priority, place.file.path, finding.cell or 0, finding.span
