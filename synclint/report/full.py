"""The report for people: where, what, the line itself, what to write instead, and how often it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from synclint.findings import Span
from synclint.report.concise import headline
from synclint.report.entries import Entry, LocatedFinding, by_priority, entries_of, sections
from synclint.report.phrases import heading, note
from synclint.report.results import CheckedFile, position
from synclint.report.terminal import Palette, escape, shown_path, width

# Of a span over more lines than this, the beginning and the end are shown.
_MOST_LINES = 6
# Of a line longer than this many characters, the part around the span is shown.
_LONGEST_LINE = 200
_BEFORE_SPAN = 40
_OWN_HEADING = "Files and comments"


def full_report(files: Iterable[CheckedFile], palette: Palette, folder: Path) -> Iterator[str]:
    """One block of lines for each cause, in the order of the files; paths are shown relative to ``folder``."""
    for file in files:
        for entry in entries_of(file):
            yield from _block(entry, palette, folder)


def ranked_report(files: Iterable[CheckedFile], palette: Palette, folder: Path) -> Iterator[str]:
    """The same, with what matters most first, under a heading for each phase."""
    for first, section in sections(by_priority(files)):
        contexts = [finding.context for entry in section for finding in entry.findings]
        title = heading(contexts) if first.is_wait else _OWN_HEADING
        yield palette.strong(f"{title}: {_size(section)}")
        yield ""
        for entry in section:
            yield from _block(entry, palette, folder)


def _size(section: Sequence[Entry]) -> str:
    count = sum(len(entry.findings) for entry in section)
    waits = "wait" if section[0].is_wait else "finding"
    said = f"{count} {waits}" if count == 1 else f"{count} {waits}s"
    return said if len(section) == count else f"{said} with {len(section)} cause{'s' if len(section) > 1 else ''}"


def _block(entry: Entry, palette: Palette, folder: Path) -> Iterator[str]:
    yield headline(entry.file.report.path, entry.first, palette, folder)
    yield from _frame(entry, palette, folder)
    yield ""


def _frame(entry: Entry, palette: Palette, folder: Path) -> Iterator[str]:
    first, lines = entry.first, entry.file.lines(entry.first)
    numbers = [number for number in _shown_lines(first.span) if number <= len(lines)]
    gutter = len(str(numbers[-1])) if numbers else 1
    bar = palette.frame(f"{' ' * gutter} |")
    yield bar
    previous = 0
    for number in numbers:
        if previous and number != previous + 1:
            yield palette.frame(f"{'.' * gutter} |")
        shown, underline = _underlined(lines[number - 1], number, first.span)
        yield f"{palette.frame(f'{number:>{gutter}} |')} {shown}".rstrip()
        yield f"{bar} {palette.code(underline)}"
        previous = number
    sign = palette.frame(f"{' ' * gutter} =")
    for also in _others(entry, folder):
        yield f"{sign} {palette.strong('also')}: {also}"
    helps = _helps(entry)
    for code, text in helps.items():
        label = "help" if len(helps) == 1 else f"help for {code}"
        yield f"{sign} {palette.help(label)}: {escape(text)}"
    if said := note(first.context, lambda path: shown_path(Path(path), folder)):
        yield f"{sign} {palette.strong('note')}: {escape(said)}"


def _others(entry: Entry, folder: Path) -> Iterator[str]:
    """The other places with the same cause, rule by rule and file by file; paths only where it is another file."""
    found: dict[tuple[str, bool, str], list[LocatedFinding]] = {}
    for place in entry.places[1:]:
        rule = f"{place.finding.code} {place.finding.name}"
        found.setdefault((rule, place.file is not entry.file, place.file.path), []).append(place)
    for (rule, is_elsewhere, _), places in sorted(found.items(), key=lambda item: item[0][1:]):
        where = f"{shown_path(places[0].file.report.path, folder)}:" if is_elsewhere else ""
        positions = [position(place.finding) for place in sorted(places, key=_in_order)]
        yield f"{rule} at {where}{', '.join(positions)}"


def _in_order(place: LocatedFinding) -> tuple[int, Span]:
    return place.finding.cell or 0, place.finding.span


def _helps(entry: Entry) -> dict[str, str]:
    """The advice of each rule in an entry, by its code; what two rules advise alike is said once."""
    helps: dict[str, str] = {}
    for finding in entry.findings:
        if finding.instead and finding.instead not in helps.values():
            helps.setdefault(finding.code, finding.instead)
    return helps


def _shown_lines(span: Span) -> list[int]:
    first, last = span.start.line, span.end.line
    if last - first < _MOST_LINES:
        return list(range(first, last + 1))
    return [*range(first, first + _MOST_LINES - 1), last]


def _underlined(line: str, number: int, span: Span) -> tuple[str, str]:
    """A line ready for the terminal, and the carets that go below it."""
    indent = len(line) - len(line.lstrip())
    start = min(span.start.column - 1 if number == span.start.line else indent, len(line))
    end = min(span.end.column - 1 if number == span.end.line else len(line.rstrip()), len(line))
    low, high = 0, len(line)
    if len(line) > _LONGEST_LINE:
        low = max(0, start - _BEFORE_SPAN)
        high = low + _LONGEST_LINE
    before = ("…" if low else "") + escape(line[low:start])
    within = escape(line[start : min(end, high)])
    after = escape(line[max(start, end) : high]) + ("…" if high < len(line) else "")
    return before + within + after, " " * width(before) + "^" * max(1, width(within))
