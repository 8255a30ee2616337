"""What every report is made of: the files, their findings, and where each stands as others count it."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from synclint.files.real_paths import real_path
from synclint.findings import Finding, Fix
from synclint.report.origins import Origin
from synclint.results.file_reports import FileReport
from synclint.sources.embedded import file_line, located

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Results:
    """How a run ended: a report for each file, and the ``problems`` that kept paths from being checked.

    ``folder`` is where the run took place (absolute). ``root`` is the folder that paths are told from,
    which for a report that a server reads is the top of the repository. ``origin`` says what run it was.
    """

    reports: tuple[FileReport, ...]
    folder: Path
    root: Path
    problems: tuple[str, ...] = ()
    origin: Origin | None = None

    @cached_property
    def files(self) -> tuple[CheckedFile, ...]:
        """The files that were checked, in the order of the run."""
        return tuple(checked_files(self.reports, self.folder, self.root))

    def shown(self, path: str) -> str:
        """An absolute path as it is told: relative to the root where it lies below it."""
        absolute = Path(os.path.normpath(path))
        root = self.root if absolute.is_relative_to(self.root) else real_path(self.root)
        return (absolute.relative_to(root) if absolute.is_relative_to(root) else absolute).as_posix()

    @property
    def count(self) -> int:
        """The number of findings."""
        return sum(len(report.findings) for report in self.reports)


def checked_files(reports: Iterable[FileReport], folder: Path, root: Path) -> Iterator[CheckedFile]:
    """The files that were checked, one after the other; ``Results`` says which folders these are."""
    for report in reports:
        if report.problem is None:
            absolute = Path(os.path.normpath(folder / report.path))
            path = absolute.relative_to(root) if absolute.is_relative_to(root) else absolute
            yield CheckedFile(report, path.as_posix())


@dataclass(frozen=True)
class CheckedFile:
    """A file and its findings, told by the places in the file, with ``path`` relative to the root."""

    report: FileReport
    path: str

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings; within a notebook their spans count from the beginning of their cells."""
        if self.report.embedded is None:
            return self.report.findings
        blocks = self.report.embedded.blocks
        return tuple(located(finding, blocks) for finding in self.report.findings)

    @cached_property
    def _lines(self) -> Mapping[int | None, Sequence[str]]:
        embedded = self.report.embedded
        lines = _LINE_END.split(self.report.source if embedded is None else embedded.shown)
        by_cell: dict[int | None, Sequence[str]] = {None: lines}
        for block in embedded.blocks if embedded else ():
            if block.cell is not None:
                by_cell[block.cell] = lines[block.start - 1 :][: len(block.file_lines)]
        return by_cell

    def lines(self, finding: Finding) -> Sequence[str]:
        """The lines that a finding's span counts in: those of its cell, or of the whole file."""
        return self._lines[finding.cell]

    def file_line(self, finding: Finding) -> int:
        """The line of the file on disk where a finding begins, which in a notebook is a line of JSON."""
        return self.line_on_disk(finding.span.start.line, finding.cell)

    def line_on_disk(self, line: int, cell: int | None) -> int:
        """The line of the file on disk for a line of the file, or of a cell of it."""
        blocks = self.report.embedded.blocks if self.report.embedded else ()
        return file_line(line, cell, blocks)

    def fingerprints(self) -> Iterator[tuple[Finding, str]]:
        """Each finding with what identifies it as long as its own lines stay the same, 64 hex digits."""
        seen: Counter[str] = Counter()
        for finding in self.findings:
            lines = self.lines(finding)[finding.span.start.line - 1 : finding.span.end.line]
            key = "\0".join([finding.code, self.path, *(line.strip() for line in lines)])
            seen[key] += 1
            data = f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")
            yield finding, hashlib.sha256(data).hexdigest()


def place(finding: Finding) -> str:
    """Where a finding begins, in words: ``line 7`` or ``cell 3, line 7``."""
    line = f"line {finding.span.start.line}"
    return line if finding.cell is None else f"cell {finding.cell}, {line}"


def position(finding: Finding) -> str:
    """Where a finding begins, as briefly as can be: ``7:12``, or in a notebook ``cell 3, line 7, column 12``."""
    start = finding.span.start
    if finding.cell is None:
        return f"{start.line}:{start.column}"
    return f"cell {finding.cell}, line {start.line}, column {start.column}"


def described(fix: Fix) -> str:
    """What a fix does, and what can differ with it."""
    return f"{fix.message}: {fix.caveat}" if fix.caveat else fix.message


def located_message(finding: Finding) -> str:
    """The message, beginning with the cell where the reader would otherwise see a line of JSON."""
    return finding.message if finding.cell is None else f"{place(finding)}: {finding.message}"
