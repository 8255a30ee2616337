"""What a finding is about, in words that survive edits elsewhere: its function and its statement."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from synclint.findings import Finding
from synclint.sources.comments import LogicalLine, source_lines

_DEFINITION = re.compile(r"(?:async )?(?:def|class) (\w+)")


@dataclass(frozen=True)
class Anchor:
    """A rule's code, the qualified name of the enclosing function (empty at the top), and the statement.

    The statement is without layout and comments, so that formatting does not change it.
    """

    code: str
    function: str
    statement: str

    @property
    def fingerprint(self) -> str:
        """16 hex digits that stand for all three."""
        data = "\0".join((self.code, self.function, self.statement)).encode("utf-8", "surrogatepass")
        return hashlib.sha256(data).hexdigest()[:16]


def anchors(findings: Sequence[Finding], source: str) -> list[Anchor]:
    """The anchor of each finding in ``source``; equal ones are told apart only by their number."""
    lines = source_lines(source)
    functions = dict(_functions(lines.logical))
    result: list[Anchor] = []
    for finding in findings:
        logical = lines.holding(finding.span.start.line)
        if logical is None:
            text = lines.physical[finding.span.start.line - 1]
            result.append(Anchor(finding.code, "", " ".join(text.split())))
        else:
            result.append(Anchor(finding.code, functions[logical.first], logical.text))
    return result


def _functions(logical_lines: Sequence[LogicalLine]) -> Iterator[tuple[int, str]]:
    """The first line of each logical line, and the qualified name of what it stands in."""
    around: list[tuple[int, str]] = []
    for logical in logical_lines:
        while around and around[-1][0] >= logical.indent:
            around.pop()
        yield logical.first, ".".join(name for _, name in around)
        definition = _DEFINITION.match(logical.text)
        if definition:
            around.append((logical.indent, definition[1]))
