"""Applies what comments say to the findings of a file, and reports the comments that do nothing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from synclint.adoption.directives import ContextMark, Directives, Pragma, Suppression, read_directives
from synclint.findings import Confidence, Context, Edit, Finding, Fix, Phase, Position, Span
from synclint.rules.matching import severity_in
from synclint.rules.own import OWN, UNUSED_SUPPRESSION
from synclint.rules.selectors import find_rule
from synclint.sources.comments import SourceLines, source_lines

_NEEDS_REASON = "the comment that suppresses it must give a reason to take effect"


@dataclass(frozen=True)
class Reviewed:
    """The findings that no comment suppresses, those that one does, and complaints about comments (``SYN001``)."""

    findings: tuple[Finding, ...]
    complaints: tuple[Finding, ...] = ()
    suppressed: tuple[Finding, ...] = ()


def review(findings: Sequence[Finding], source: str, path: Path, require_reason: bool = False) -> Reviewed:
    """Apply the comments of ``source`` to all that was found in it, likely or not, whatever phase it runs in.

    Each complaint carries the edit that removes the comment, or the part of it that is of no use. With
    ``require_reason`` a suppression that gives no reason has no effect, which the finding then says.
    """
    lines = source_lines(source)
    directives = read_directives(lines)
    covering = _Covering(directives.suppressions)
    marks = _innermost(directives.marks)
    kept: list[Finding] = []
    suppressed: list[Finding] = []
    for found in findings:
        finding = _corrected(found, marks, path)
        if covering.suppresses(finding, with_reason=require_reason):
            suppressed.append(finding)
        elif covering.suppresses(finding, with_reason=False):
            kept.append(replace(finding, message=f"{finding.message}; {_NEEDS_REASON}"))
        else:
            kept.append(finding)
    complaints = [
        complaint
        for complaint in _complaints(findings, directives, lines, path)
        if not _is_silenced(complaint, covering)
    ]
    ordered = sorted(complaints, key=lambda complaint: complaint.span)
    return Reviewed(tuple(kept), tuple(ordered), tuple(suppressed))


def with_marks(findings: Sequence[Finding], source: str, path: Path) -> Reviewed:
    """The findings as ``review`` would see them if no comment suppressed any; other comments keep their effect."""
    marks = _innermost(read_directives(source_lines(source)).marks)
    return Reviewed(tuple(_corrected(finding, marks, path) for finding in findings))


# Suppressions of one code, or of all rules (None), that give a reason or do not.
_Kind = tuple[str | None, bool]


class _Covering:
    """Tells whether a finding is suppressed, without asking each suppression: by the lines that those of a kind cover.

    Hundreds of thousands of comments may each open a region that lasts to the end of the file.
    """

    def __init__(self, suppressions: Iterable[Suppression]) -> None:
        ranges: dict[_Kind, list[tuple[int, int]]] = {}
        for suppression in suppressions:
            codes: Iterable[str | None] = frozenset().union(*(named.codes for named in suppression.named))
            for code in codes if suppression.named else (None,):
                kind = code, bool(suppression.reason)
                ranges.setdefault(kind, []).append((suppression.first, suppression.last))
        self._lines = {kind: _Lines(covered) for kind, covered in ranges.items()}

    def suppresses(self, finding: Finding, *, with_reason: bool) -> bool:
        """Whether a suppression is about a finding; ``with_reason``, one that gives a reason."""
        kinds = [(code, reason) for code in (finding.code, None) for reason in {True, with_reason}]
        return any(self._holds(kind, finding) for kind in kinds)

    def names(self, finding: Finding) -> bool:
        """Whether a suppression is about a finding and names its rule."""
        return any(self._holds((finding.code, reason), finding) for reason in (True, False))

    def _holds(self, kind: _Kind, finding: Finding) -> bool:
        lines = self._lines.get(kind)
        return lines is not None and (finding.span.start.line in lines or finding.span.end.line in lines)


class _Lines:
    """A set of lines, made of ranges that may overlap."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._firsts: list[int] = []
        self._lasts: list[int] = []
        for first, last in sorted(ranges):
            if self._lasts and first <= self._lasts[-1]:
                self._lasts[-1] = max(self._lasts[-1], last)
            else:
                self._firsts.append(first)
                self._lasts.append(last)

    def __contains__(self, line: int) -> bool:
        index = bisect_right(self._firsts, line) - 1
        return index >= 0 and line <= self._lasts[index]


def _innermost(marks: Iterable[ContextMark]) -> dict[int, ContextMark]:
    """The innermost mark around each line."""
    ordered = sorted(marks, key=lambda mark: (mark.first, -mark.last))
    return {line: mark for mark in ordered for line in range(mark.first, mark.last + 1)}


def _corrected(finding: Finding, marks: Mapping[int, ContextMark], path: Path) -> Finding:
    """The finding in the context that the innermost mark around it gives it."""
    mark = marks.get(finding.span.start.line)
    if mark is None or finding.code in OWN:
        return finding
    reason = f"marked {mark.text} at {path.name}:{mark.line}"
    # What multiplies it there, and what captures it, the comment does not speak of.
    context = Context(mark.runs, reason, times=finding.context.times, captured=finding.context.captured)
    return replace(finding, context=context, severity=severity_in(context, find_rule(finding.code)))


def _is_silenced(complaint: Finding, covering: _Covering) -> bool:
    """Whether a suppression names SYN001 itself: one without names must not excuse itself."""
    return covering.names(complaint)


def _complaints(
    findings: Sequence[Finding], directives: Directives, lines: SourceLines, path: Path
) -> Iterator[Finding]:
    for problem in directives.problems:
        yield _complaint(problem.pragma, f"has no effect: {problem.message}", None, path)
    found = _lines_by_code(findings)
    for suppression in directives.suppressions:
        covered = {code for code, places in found.items() if _any_within(places, suppression.first, suppression.last)}
        unused = [
            named.text
            for named in suppression.named
            if named.codes and UNUSED_SUPPRESSION.code not in named.codes and covered.isdisjoint(named.codes)
        ]
        if suppression.named:
            if unused:
                shown = ", ".join(map(_shown, unused))
                yield from _unused(suppression, f"suppresses no {shown} here", unused, lines, path)
        elif not covered:
            yield from _unused(suppression, "suppresses nothing here", unused, lines, path)


def _lines_by_code(findings: Iterable[Finding]) -> dict[str, list[int]]:
    """The lines on which findings begin or end, in order, for each code."""
    lines: dict[str, set[int]] = {}
    for finding in findings:
        lines.setdefault(finding.code, set()).update((finding.span.start.line, finding.span.end.line))
    return {code: sorted(places) for code, places in lines.items()}


def _any_within(places: Sequence[int], first: int, last: int) -> bool:
    """Whether one of several lines in order is between two others."""
    index = bisect_left(places, first)
    return index < len(places) and places[index] <= last


@cache
def _shown(text: str) -> str:
    """A rule as a comment names it, with its code and name where it names exactly one."""
    try:
        rule = find_rule(text)
    except ValueError:
        return text
    return f"{rule.code} {rule.name}"


# A comment may be as long as a book, and there may be a complaint about each of its words.
_LONGEST_SHOWN = 500


def _unused(
    suppression: Suppression, message: str, unused: Sequence[str], lines: SourceLines, path: Path
) -> Iterator[Finding]:
    useless = frozenset(unused)
    left = [word for word in suppression.words if word not in useless]
    if left:
        yield _complaint(suppression.pragma, message, _narrowed(suppression, left), path)
        return
    yield _complaint(suppression.pragma, message, _removal(suppression.pragma, lines), path)
    if suppression.closing:
        message = f"ends a region that suppresses nothing, from line {suppression.first} on"
        yield _complaint(suppression.closing, message, _removal(suppression.closing, lines), path)


def _narrowed(suppression: Suppression, left: Sequence[str]) -> Fix:
    """The comment with only the names that are ``left``, and all else as it was."""
    text, (start, end) = suppression.pragma.text.rstrip(), suppression.listed
    separator = ", " if "," in text[start:end] else " "
    space = " " if text[start:end].startswith(" ") else ""
    replacement = f"{text[:start]}{space}{separator.join(left)}{text[end:]}"
    return Fix("Remove what suppresses nothing", (Edit(suppression.pragma.span, replacement),))


def _removal(pragma: Pragma, lines: SourceLines) -> Fix:
    """Remove the pragma, and the space before it where nothing comes after."""
    span, comment = pragma.span, pragma.comment
    start, end = span.start, span.end
    if pragma.end == len(comment.text):
        line = lines.physical[comment.line - 1]
        start = Position(comment.line, len(line[: start.column - 1].rstrip()) + 1)
        end = Position(comment.line, len(line) + 1)
    else:
        end = Position(comment.line, comment.column + pragma.end)
    return Fix("Remove the comment", (Edit(Span(start, end), ""),))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _complaint(pragma: Pragma, message: str, fix: Fix | None, path: Path) -> Finding:
    return Finding(
        code=UNUSED_SUPPRESSION.code,
        name=UNUSED_SUPPRESSION.name,
        message=f"`{_shortened(pragma.text.strip())}` {_shortened(message)}",
        filename=str(path),
        span=pragma.span,
        severity=UNUSED_SUPPRESSION.severity,
        confidence=Confidence.HIGH,
        mechanism=UNUSED_SUPPRESSION.mechanism,
        context=Context(Phase.STEP, reason=""),
        instead="Remove it, or run `synclint check --prune-ignores`." if fix else "",
        fix=fix,
    )
