"""The findings of each file under its name, a line for each cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from synclint.report.concise import mark
from synclint.report.entries import Entry, LocatedFinding, entries_of
from synclint.report.results import CheckedFile, position
from synclint.report.terminal import Palette, escape, shown_path

_MOST_OTHERS = 8


def grouped_report(files: Iterable[CheckedFile], palette: Palette, folder: Path) -> Iterator[str]:
    """A heading for each file, its entries below, and an empty line, in the order of the paths."""
    for file in files:
        if file.findings:
            yield from _section(file, entries_of(file), {}, palette, folder)


def ranked_grouped_report(files: Iterable[CheckedFile], palette: Palette, folder: Path) -> Iterator[str]:
    """The same, with the file first in which most is to be won, and in each file what matters most.

    What has its cause in common with another file refers to the place there that stands for all.
    """
    files = list(files)
    leaders = {entry.first.group: entry.places[0] for entry in entries_of(*files) if entry.first.group}
    sections = [(file, sorted(entries_of(file), key=_rank)) for file in files if file.findings]
    for file, entries in sorted(sections, key=lambda section: _rank(section[1][0])):
        yield from _section(file, entries, leaders, palette, folder)


def _rank(entry: Entry) -> float:
    return -entry.first.priority


def _section(
    file: CheckedFile, entries: Iterable[Entry], leaders: Mapping[str, LocatedFinding], palette: Palette, folder: Path
) -> Iterator[str]:
    yield f"{palette.strong(shown_path(file.report.path, folder))}:"
    for entry in entries:
        first = entry.first
        rule = f"{palette.code(first.code)}{mark(first, palette)} {palette.strong(first.name)}"
        sure = palette.faint(f"[{first.confidence.value}]")
        also = f"{_others(entry)}{_elsewhere(entry, leaders, folder)}"
        yield f"  {position(first)} {rule}: {escape(first.message)} {sure}{also}"
    yield ""


def _elsewhere(entry: Entry, leaders: Mapping[str, LocatedFinding], folder: Path) -> str:
    """The place in another file that stands for an entry as well."""
    leader = leaders.get(entry.first.group)
    if leader is None or leader.file is entry.file:
        return ""
    return f", same cause as {shown_path(leader.file.report.path, folder)}:{position(leader.finding)}"


def _others(entry: Entry) -> str:
    others = [position(finding) for finding in entry.findings[1:]]
    if not others:
        return ""
    listed = ", ".join(others[:_MOST_OTHERS])
    more = f" and {len(others) - _MOST_OTHERS} more places" if len(others) > _MOST_OTHERS else ""
    return f", also at {listed}{more}"
