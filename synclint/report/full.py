"""The report for people: where, what, the line itself, what to write instead, and how often it runs.

An entry has at most ``MOST_ROWS`` rows on a terminal of ``COLUMNS`` columns, so that several can be seen at once. What
does not fit gives way in this order: the calls in the middle of a long chain, what is known of the operand, further
places, the marks below the code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from synclint.findings import Finding, Span
from synclint.report.concise import headline
from synclint.report.entries import Entry, LocatedFinding, by_priority, entries_of, sections
from synclint.report.phrases import heading, note
from synclint.report.results import CheckedFile, position
from synclint.report.terminal import Palette, escape, shown_path, width
from synclint.report.wrapping import wrapped

COLUMNS, MOST_ROWS = 100, 6
_BEFORE_SPAN = 40
# A row ends with a word, and the next one is indented.
_LOST_BY_WRAPPING = 30
_OWN_HEADING = "Files, comments and contracts"


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


@lru_cache(maxsize=1024)  # to make a path of a text takes longer than all else that is said of a place
def _shown(path: str, folder: Path) -> str:
    return shown_path(Path(path), folder)


def _size(section: Sequence[Entry]) -> str:
    count = sum(len(entry.findings) for entry in section)
    waits = "wait" if section[0].is_wait else "finding"
    said = f"{count} {waits}" if count == 1 else f"{count} {waits}s"
    return said if len(section) == count else f"{said} with {len(section)} cause{'s' if len(section) > 1 else ''}"


@dataclass(frozen=True)
class _Line:
    """A line of an entry, without colours and with them."""

    plain: str
    shown: str

    @property
    def rows(self) -> int:
        return sum(1 for _ in wrapped([self.plain], COLUMNS))


_PLAIN = Palette(enabled=False)


def _block(entry: Entry, palette: Palette, folder: Path) -> Iterator[str]:
    first, path = entry.first, entry.file.report.path
    plain = replace(_PLAIN, marks_unsafe=palette.marks_unsafe)
    title = _Line(headline(path, first, plain, folder), headline(path, first, palette, folder))
    number, code, underline = _code(entry)
    gutter = len(number)
    source = _Line(f"{number} | {code}".rstrip(), f"{palette.frame(f'{number} |')} {code}".rstrip())
    marks = _Line(f"{' ' * gutter} | {underline}", f"{palette.frame(' ' * gutter + ' |')} {palette.code(underline)}")

    def labelled(label: str, text: str, *, is_help: bool = False) -> _Line:
        colored = palette.help(label) if is_help else palette.strong(label)
        sign = f"{' ' * gutter} ="
        return _Line(f"{sign} {label}: {text}", f"{palette.frame(sign)} {colored}: {text}")

    helps = [labelled("help", escape(first.instead), is_help=True)] if first.instead else []
    room = COLUMNS - gutter - len(" = note: ")
    spare = MOST_ROWS - title.rows - len(("code", "marks")) - sum(line.rows for line in helps)
    told = room + (COLUMNS - gutter - _LOST_BY_WRAPPING if spare > 1 else 0)

    def often(columns: int) -> str:
        return note(first.context, lambda called: _shown(called, folder), columns)

    said = often(told)
    notes = [labelled("note", escape(said))] if said else []
    fixed = [title, source, *helps, *notes]
    left = MOST_ROWS - sum(line.rows for line in fixed)
    if left < 1 and (short := _without_facts(first)) is not first:
        title = _Line(headline(path, short, plain, folder), headline(path, short, palette, folder))
        left = MOST_ROWS - sum(line.rows for line in (title, source, *helps, *notes))
    others = _others(entry, folder, left, room)
    if not others and notes and (also := _also(entry, folder)):
        notes = [labelled("note", escape(f"{often(room - len(f'; {also}'))}; {also}"))]
    left -= len(others)
    yield title.shown
    yield source.shown
    if left > 0 and underline:
        yield marks.shown
    yield from (line.shown for line in helps)
    yield from (line.shown for line in notes)
    yield from (labelled("also", text).shown for text in others)
    yield ""


def _without_facts(finding: Finding) -> Finding:
    """A finding that says what waits, and not what is known of the operand."""
    said, colon, _ = finding.message.partition(": `")
    return replace(finding, message=said) if colon else finding


def _others(entry: Entry, folder: Path, rows: int, room: int) -> list[str]:
    """The other places with the same cause, each with its own advice where that is another one.

    They have ``rows`` rows of ``room`` columns; where not all fit, the last row counts those that are left.
    """
    alike: dict[tuple[str, str, str], list[LocatedFinding]] = {}
    for place in sorted(entry.places[1:], key=_in_order):
        finding = place.finding
        own = "" if finding.instead == entry.first.instead else finding.instead
        where = "" if place.file is entry.file else shown_path(place.file.report.path, folder)
        alike.setdefault((where, finding.code, own), []).append(place)
    lines = []
    for (where, code, own), places in sorted(alike.items(), key=lambda item: (item[0][0], _in_order(item[1][0]))):
        at = ", ".join(position(place.finding) for place in places)
        rule = "" if code == entry.first.code else f" {code} {places[0].finding.name}"
        lines.append(_cut(f"{f'{where}:' if where else ''}{at}{rule}{f': {escape(own)}' if own else ''}", room))
    if len(lines) <= rows:
        return lines
    if rows < 1:
        return []
    count = sum(len(places) for places in list(alike.values())[rows - 1 :])
    return [*lines[: rows - 1], f"{count} more {'places' if count > 1 else 'place'} (--output-format concise)"]


def _also(entry: Entry, folder: Path) -> str:
    """Further places in few words, where no row is left for them; empty where there are none."""
    places = sorted(entry.places[1:], key=_in_order)
    if not places:
        return ""
    if len(places) > 3 or any(place.file is not entry.file for place in places):
        return f"{len(places)} more place{'s' if len(places) > 1 else ''}"
    return f"also at {', '.join(position(place.finding) for place in places)}"


def _cut(text: str, room: int) -> str:
    return text if width(text) <= room else f"{text[: room - 1]}…"


def _in_order(place: LocatedFinding) -> tuple[int, Span]:
    return place.finding.cell or 0, place.finding.span


def _code(entry: Entry) -> tuple[str, str, str]:
    """The number of the line where an entry begins, the part of the line that fits, and the marks below it."""
    span, lines = entry.first.span, entry.file.lines(entry.first)
    number = str(span.start.line)
    if span.start.line > len(lines):
        return number, "", ""
    shown, underline = _underlined(lines[span.start.line - 1], span, COLUMNS - len(number) - len(" | "))
    return number, shown, underline


def _underlined(line: str, span: Span, room: int) -> tuple[str, str]:
    """A line ready for the terminal, cut to fit, and the carets that go below what is on it of a span."""
    start = min(span.start.column - 1, len(line))
    is_whole = span.end.line == span.start.line
    end = min(span.end.column - 1 if is_whole else len(line.rstrip()), len(line))
    low, high = 0, len(line)
    if width(escape(line)) > room:
        low = max(0, min(start - _BEFORE_SPAN, len(line) - room + 2))
        high = low + room - 2
        while high > low and width(escape(line[low:high])) > room - 2:
            high -= 1
    before = ("…" if low else "") + escape(line[low:start])
    within = escape(line[start : min(end, high)])
    after = escape(line[max(start, end) : high]) + ("…" if high < len(line) or not is_whole else "")
    return before + within + after, " " * width(before) + "^" * max(1, width(within))
