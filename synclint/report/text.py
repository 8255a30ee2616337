"""The report for people: where, what, the line itself, what to write instead, and why it counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from synclint.file_reports import FileReport
from synclint.findings import Finding, Span
from synclint.report.concise import headline
from synclint.report.results import CheckedFile
from synclint.report.terminal import Palette, escape, width

# Of a span over more lines than this, the beginning and the end are shown.
_MOST_LINES = 6
# Of a line longer than this many characters, the part around the span is shown.
_LONGEST_LINE = 200
_BEFORE_SPAN = 40


def text_report(reports: Iterable[FileReport], palette: Palette, folder: Path) -> Iterator[str]:
    """One block of lines for each finding; paths are shown relative to ``folder``."""
    for report in reports:
        file = CheckedFile(report, str(report.path))
        for finding in file.findings:
            yield headline(report.path, finding, palette, folder)
            yield from _frame(file.lines(finding), finding, palette)
            yield ""


def _frame(lines: Sequence[str], finding: Finding, palette: Palette) -> Iterator[str]:
    numbers = [number for number in _shown_lines(finding.span) if number <= len(lines)]
    gutter = len(str(numbers[-1])) if numbers else 1
    bar = palette.frame(f"{' ' * gutter} |")
    yield bar
    previous = 0
    for number in numbers:
        if previous and number != previous + 1:
            yield palette.frame(f"{'.' * gutter} |")
        shown, underline = _underlined(lines[number - 1], number, finding.span)
        yield f"{palette.frame(f'{number:>{gutter}} |')} {shown}".rstrip()
        yield f"{bar} {palette.code(underline)}"
        previous = number
    sign = palette.frame(f"{' ' * gutter} =")
    if finding.instead:
        yield f"{sign} {palette.help('help')}: {escape(finding.instead)}"
    if note := _note(finding):
        yield f"{sign} {palette.strong('note')}: {escape(note)}"


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


def _note(finding: Finding) -> str:
    context = finding.context
    reached = " → ".join(map(str, context.path))
    if not reached or reached in context.reason:
        return context.reason
    return f"{context.reason} ({reached})" if context.reason else reached
