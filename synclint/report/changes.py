"""The edits of a fix as one change of whole lines, for readers who take a change as a whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synclint.findings import Finding, Position, Span
from synclint.report.results import CheckedFile


@dataclass(frozen=True)
class Change:
    """What a fix makes of some neighbouring lines: ``span`` extends from its first edit to its last one."""

    span: Span
    replacement: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def change_of(file: CheckedFile, finding: Finding) -> Change | None:
    """The change that a finding's fix makes; None where it has none, or one in another file or in several cells."""
    edits = finding.fix.edits if finding.fix else ()
    if not edits or any(edit.path or edit.cell != finding.cell for edit in edits):
        return None
    lines = file.lines(finding)
    ordered = sorted(edits, key=lambda edit: edit.span)
    whole = Span(ordered[0].span.start, max(edit.span.end for edit in ordered))
    pieces: list[str] = []
    place = whole.start
    for edit in ordered:
        pieces += [_between(lines, place, edit.span.start), edit.replacement]
        place = edit.span.end
    replacement = "".join(pieces)
    head = lines[whole.start.line - 1][: whole.start.column - 1] if whole.start.line <= len(lines) else ""
    tail = lines[whole.end.line - 1][whole.end.column - 1 :] if whole.end.line <= len(lines) else ""
    after = f"{head}{replacement}{tail}".replace("\r\n", "\n").split("\n")
    return Change(whole, replacement, tuple(lines[whole.start.line - 1 : whole.end.line]), tuple(after))


def _between(lines: Sequence[str], start: Position, end: Position) -> str:
    if start.line == end.line:
        return lines[start.line - 1][start.column - 1 : end.column - 1] if start.line <= len(lines) else ""
    inner = lines[start.line : end.line - 1]
    last = lines[end.line - 1][: end.column - 1] if end.line <= len(lines) else ""
    return "\n".join([lines[start.line - 1][start.column - 1 :], *inner, last])
