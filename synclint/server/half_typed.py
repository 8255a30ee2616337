"""A text that is no Python while somebody is typing: what was found before stays where its lines are still there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from synclint.analysis.syntax.parsing import ParseFailure, check_syntax
from synclint.analysis.syntax.positions import common_ends
from synclint.api import Finding
from synclint.findings import Position
from synclint.server.positions import lines_of


def is_half_typed(path: Path, text: str) -> bool:
    """Whether this is the text of a Python file that cannot be parsed."""
    if path.suffix != ".py":
        return False
    try:
        check_syntax(text)
    except ParseFailure:
        return True
    return False


def still_found(findings: Sequence[Finding], before: str, after: str) -> Iterator[Finding]:
    """Findings in one text as they are in another one: moved with their lines, without those that are being edited.

    Fixes are left out, since they would be made in the other text.
    """
    old, new = lines_of(before), lines_of(after)
    _, end = common_ends(old, new)
    offset = len(new) - len(old)

    def now(line: int) -> int:
        return line + offset if line > len(old) - end else line

    for finding in findings:
        first, last = now(finding.start.line), now(finding.end.line)
        if old[finding.start.line - 1 : finding.end.line] == new[first - 1 : last]:
            yield replace(
                finding,
                start=Position(first, finding.start.column),
                end=Position(last, finding.end.column),
                path=tuple(
                    replace(call, line=now(call.line)) if call.file == finding.file else call for call in finding.path
                ),
                fix=None,
            )
