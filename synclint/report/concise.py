"""One line for each finding, as editors, problem matchers and ``grep`` read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from synclint.findings import Finding
from synclint.fixes.offers import is_offered
from synclint.report.results import CheckedFile, position
from synclint.report.terminal import Palette, escape, shown_path

# What marks findings that `--fix` fixes, and those that `--unsafe-fixes` adds.
SAFE, UNSAFE = "*", "+"


def concise_report(files: Iterable[CheckedFile], palette: Palette, folder: Path) -> Iterator[str]:
    """``path:row:column: CODE name: message [confidence]`` for each finding.

    In a notebook the place is ``path:cell 3, line 7, column 12:``.
    """
    for file in files:
        for finding in file.findings:
            yield headline(file.report.path, finding, palette, folder)


def ranked_concise_report(files: Iterable[CheckedFile], palette: Palette, folder: Path) -> Iterator[str]:
    """The same lines, those that matter most first."""
    found = [(file.report.path, finding) for file in files for finding in file.findings]
    for path, finding in sorted(found, key=lambda pair: -pair[1].priority):
        yield headline(path, finding, palette, folder)


def mark(finding: Finding, palette: Palette) -> str:
    """`` [*]`` behind the code of a finding that ``--fix`` fixes, as in ruff, and `` [+]`` if ``--unsafe-fixes`` does.

    Where the user asks for unsafe fixes as well, all of them have the first mark.
    """
    if is_offered(finding, unsafe=palette.marks_unsafe):
        return f" [{palette.help(SAFE)}]"
    return f" [{palette.help(UNSAFE)}]" if is_offered(finding, unsafe=True) else ""


def headline(path: Path, finding: Finding, palette: Palette, folder: Path) -> str:
    """The line that says where and what; ``path`` is shown relative to ``folder``."""
    where = f"{palette.strong(shown_path(path, folder))}:{position(finding)}:"
    sure = palette.faint(f"[{finding.confidence.value}]")
    rule = f"{palette.code(finding.code)}{mark(finding, palette)} {palette.strong(finding.name)}"
    return f"{where} {rule}: {escape(finding.message)} {sure}"
