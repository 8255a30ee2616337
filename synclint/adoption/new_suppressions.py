"""Writes ``# synclint: ignore[...]`` comments for findings that are to stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from synclint.adoption.directives import Suppression, Syntax, read_directives
from synclint.findings import Edit, Finding, Position, Span
from synclint.rules.own import NOT_CHECKED, UNUSED_SUPPRESSION
from synclint.sources.comments import LogicalLine, SourceLines, source_lines

NOT_SUPPRESSED = NOT_CHECKED | {UNUSED_SUPPRESSION.code}
_MESSAGE = "Suppress the finding"


def with_suppressions(findings: Sequence[Finding], source: str, reason: str) -> list[Finding]:
    """For each statement with findings one of them, whose fix is the comment that suppresses them all.

    A comment of ours that is there already is extended. That a file was not checked, and complaints about
    comments, cannot be suppressed this way, and are left out.
    """
    lines = source_lines(source)
    present = read_directives(lines).suppressions
    wanted = sorted((f for f in findings if f.code not in NOT_SUPPRESSED), key=lambda finding: finding.span)
    return [
        replace(group[0], fix=_edit(group, logical, present, lines, reason))
        for logical, group in _by_statement(wanted, lines)
    ]


def _by_statement(findings: Sequence[Finding], lines: SourceLines) -> Iterator[tuple[LogicalLine, list[Finding]]]:
    for index, group in groupby(findings, key=lambda finding: lines.index_at(finding.span.start.line)):
        yield lines.logical[index], list(group)


def _edit(
    findings: Sequence[Finding],
    logical: LogicalLine,
    present: Sequence[Suppression],
    lines: SourceLines,
    reason: str,
) -> Edit:
    codes = sorted({finding.code for finding in findings})
    for suppression in present:
        comment = suppression.pragma.comment
        lies_here = comment.line in (logical.first, logical.last) and not comment.alone
        if lies_here and suppression.syntax is Syntax.DIRECTIVE and suppression.named:
            return _extended(suppression, codes, reason)
    line = lines.physical[logical.last - 1]
    text = f"  # synclint: ignore[{', '.join(codes)}] {reason}".rstrip()
    start = Position(logical.last, len(line.rstrip()) + 1)
    return Edit(Span(start, Position(logical.last, len(line) + 1)), text, _MESSAGE, safe=True)


def _extended(suppression: Suppression, codes: Sequence[str], reason: str) -> Edit:
    """The comment with more codes in its list, and a reason where it has none."""
    text, (start, end) = suppression.pragma.text.rstrip(), suppression.listed
    known = {code for named in suppression.named for code in named.codes}
    words = [*suppression.words, *(code for code in codes if code not in known)]
    ending = "" if suppression.reason else f" {reason}".rstrip()
    replacement = f"{text[:start]}{', '.join(words)}{text[end:]}{ending}"
    return Edit(suppression.pragma.span, replacement, _MESSAGE, safe=True)
