"""The smallest edit that makes one text of another."""

from __future__ import annotations

from synclint.findings import Edit, Position, Span


def trimmed(edit: Edit, before: str) -> Edit:
    """An edit without the characters at both ends of the text ``before`` that it leaves as they are."""
    after = edit.replacement
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    if "\n" in before or "\r" in before:  # places are counted in characters of one line
        head = before[:start]
        line = edit.span.start.line + head.count("\n")
        column = edit.span.start.column + start if "\n" not in head else start - head.rfind("\n")
        tail = before[len(before) - end :]
        last = edit.span.end.line - tail.count("\n")
        if "\n" in tail:
            kept = before[: len(before) - end]
            last_column = len(kept) - kept.rfind("\n") if "\n" in kept else edit.span.start.column + len(kept)
        else:
            last_column = edit.span.end.column - end
        span = Span(Position(line, column), Position(last, last_column))
    else:
        first = edit.span.start
        span = Span(Position(first.line, first.column + start), Position(first.line, edit.span.end.column - end))
    return Edit(span, after[start : len(after) - end], edit.path)
