"""What is found in a file once fixes have been made that was not found before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from synclint.analysis.syntax.positions import lines_of
from synclint.findings import Finding
from synclint.results.file_reports import FileReport
from synclint.results.statements import Statements

# What many waits may become by unsafe fixes: one lookup for several selections, one read, one question about all.
LEFT_OF_MANY = frozenset({"SYN101", "SYN201", "SYN202", "SYN203", "SYN204", "SYN301"})


class News(NamedTuple):
    """A finding that was not there before: its rule, the function, and the line that it begins in."""

    code: str
    function: str
    line: str


@dataclass(frozen=True)
class Shown:
    """How often each rule is broken in each function of a file: what is shown, and what is found in all.

    ``at`` are those that are shown, ``lines`` the lines of the file, without indentation.
    """

    shown: Counter[tuple[str, str]]
    found: Counter[tuple[str, str]]
    at: tuple[News, ...]
    lines: frozenset[str]

    @staticmethod
    def of(report: FileReport) -> Shown:
        """What a report shows."""
        statements = Statements(report.source)
        lines = lines_of(report.source)

        def functions(findings: Iterable[Finding]) -> Iterator[tuple[Finding, str]]:
            return ((finding, statements.at(finding.span.start).function) for finding in findings)

        at = [
            News(finding.code, function, lines[finding.span.start.line - 1].strip() if report.source else "")
            for finding, function in functions(report.findings)
        ]
        shown = Counter((one.code, one.function) for one in at)
        others = Counter((f.code, function) for f, function in functions((*report.unshown, *report.unsure)))
        return Shown(shown, shown + others, tuple(at), frozenset(map(str.strip, lines)))

    def beyond(self, before: Shown, left: frozenset[str]) -> list[News]:
        """What is new: a rule that is shown more often in a function than it was found there before.

        It is none where no more is shown in the function in all, unless the line is a new one: on what a fix writes
        nothing may be found, but for what may be ``left`` of many waits.
        """
        grown = {key for key, count in self.shown.items() if count > before.found[key]}
        return [one for one in self.at if (one.code, one.function) in grown and self._is_news(one, before, left)]

    def _is_news(self, one: News, before: Shown, left: frozenset[str]) -> bool:
        if self._in(one.function) > before._in(one.function):
            return True
        return one.line not in before.lines and one.code not in left

    def _in(self, place: str) -> int:
        return sum(count for (_, function), count in self.shown.items() if function == place)
