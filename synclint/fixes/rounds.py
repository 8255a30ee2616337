"""Makes fixes in the texts of files, round by round, until nothing changes; a file that would suffer stays as it was.

A fix can make room for another one, and two may want the same place: each round makes as many as have room beside one
another and checks all files anew. Nothing is written here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from synclint.adoption.edits import with_edits
from synclint.analysis.syntax.parsing import ParseFailure, check_syntax
from synclint.files.real_paths import real_path
from synclint.findings import Edit, Finding, Fix, Span
from synclint.fixes.offers import is_offered
from synclint.results.file_reports import FileReport
from synclint.results.statements import Statements
from synclint.sources.decoding import UnreadableSourceError, read_source, unsaved_texts
from synclint.sources.embedded import EmbeddedSourceError
from synclint.sources.extraction import extract

MOST_ROUNDS = 10
# Checks all files of a run, with other texts in the place of some of them.
CheckAll = Callable[[], Sequence[FileReport]]


class Change(NamedTuple):
    """The text of a file before and after."""

    before: str
    after: str


@dataclass(frozen=True)
class Fixed:
    """What came of the rounds.

    ``changes`` are those of the files, by their resolved paths, and ``reports`` what is found in all files
    afterwards; ``counts`` are the findings that were fixed in each file, by rule. ``left`` says of files that stay as
    they were why they do, a sentence each.
    """

    reports: Sequence[FileReport]
    changes: Mapping[Path, Change] = field(default_factory=dict)
    counts: Mapping[Path, Counter[str]] = field(default_factory=dict)
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Made:
    """A fix that is made in a round: the file of its finding, and the edits by the resolved paths of their files."""

    path: Path
    code: str
    edits: Mapping[Path, tuple[Edit, ...]]


def fixed(reports: Sequence[FileReport], check: CheckAll, *, unsafe: bool) -> Fixed:
    """Make the fixes that ``reports`` offer, those that are not safe only if asked for.

    ``check`` checks the same files again.
    """
    by_path = _by_real_path(reports)
    first = {path: _Shown.of(report) for path, report in by_path.items()}
    texts: dict[Path, str] = {}
    counts: dict[Path, Counter[str]] = defaultdict(Counter)
    tied: dict[Path, set[Path]] = defaultdict(set)
    left: dict[Path, str] = {}
    for _ in range(MOST_ROUNDS):
        with unsaved_texts(texts):
            made = [one for one in _chosen(by_path, unsafe=unsafe) if not left.keys() & one.edits.keys()]
            changed = _changed(made, by_path)
        if not changed:
            break
        for one in made:
            counts[one.path][one.code] += 1
            for path in one.edits:
                tied[path] |= one.edits.keys() - {path}
        texts.update(changed)
        while True:
            suffering = _unreadable(texts)
            if not suffering:
                with unsaved_texts(texts):
                    by_path = _by_real_path(check())
                suffering = {path: why for path in texts if (why := _news(by_path[path], first[path]))}
            if not suffering:
                break
            for path, why in suffering.items():
                for other in _all_tied(path, tied):
                    left.setdefault(other, f"{by_path[other].path}: the fixes are left out: {why}")
                    texts.pop(other, None)
                    counts.pop(other, None)
    before = {path: read_source(path) for path in texts}
    changes = {path: Change(before[path], text) for path, text in texts.items() if text != before[path]}
    after = tuple(by_path[real_path(report.path)] for report in reports)
    return Fixed(after, changes, {path: counts[path] for path in changes if counts[path]}, tuple(left.values()))


def _unreadable(texts: Mapping[Path, str]) -> dict[Path, str]:
    """The files whose new texts are no Python, and why."""
    return {path: why for path, text in texts.items() if (why := _fault(path, text))}


def _fault(path: Path, text: str) -> str:
    try:
        embedded = extract(path, text)
        check_syntax(text if embedded is None else embedded.module)
    except (ParseFailure, EmbeddedSourceError, UnreadableSourceError) as error:
        return f"the result does not parse ({error})"
    return ""


def _news(report: FileReport, before: _Shown) -> str:
    """What is found in a file that was not there before; empty where there is nothing."""
    if report.problem is not None:
        return report.problem
    code = _Shown.of(report).beyond(before)
    return f"{code} would be a new finding" if code else ""


def _by_real_path(reports: Iterable[FileReport]) -> dict[Path, FileReport]:
    """The reports by the resolved paths of their files; one that was reached by several names is fixed once."""
    found: dict[Path, FileReport] = {}
    for report in reports:
        found.setdefault(real_path(report.path), report)
    return found


def _chosen(by_path: Mapping[Path, FileReport], *, unsafe: bool) -> list[_Made]:
    """The fixes that have room beside one another, in the order of the files and of the places."""
    taken: dict[Path, set[Edit]] = defaultdict(set)
    chosen: list[_Made] = []
    for path, report in by_path.items():
        for finding in report.findings:
            if not is_offered(finding, unsafe=unsafe):
                continue
            assert finding.fix is not None
            edits = _by_file(finding.fix, path)
            if any(other != path and not _is_plain(by_path.get(other)) for other in edits):
                continue
            if any(_collides(edit, taken[other]) for other, made in edits.items() for edit in made):
                continue
            for other, made in edits.items():
                taken[other].update(made)
            chosen.append(_Made(path, finding.code, edits))
    return chosen


def _is_plain(report: FileReport | None) -> bool:
    return report is not None and report.problem is None and report.embedded is None


def _by_file(fix: Fix, path: Path) -> dict[Path, tuple[Edit, ...]]:
    found: dict[Path, tuple[Edit, ...]] = {}
    for edit in fix.edits:
        other = Path(edit.path) if edit.path else path
        found[other] = (*found.get(other, ()), Edit(edit.span, edit.replacement))
    return found


def _collides(edit: Edit, taken: Iterable[Edit]) -> bool:
    """Whether an edit wants a place that another one, which is not the same, has taken."""
    return any(edit != other and _overlap(edit.span, other.span) for other in taken)


def _overlap(first: Span, second: Span) -> bool:
    """Whether two places have something in common; what is inserted within a place belongs to it."""
    return first.start == second.start or (first.start < second.end and second.start < first.end)


def _changed(made: Iterable[_Made], by_path: Mapping[Path, FileReport]) -> dict[Path, str]:
    edits: dict[Path, dict[Edit, None]] = defaultdict(dict)
    for one in made:
        for path, some in one.edits.items():
            edits[path].update(dict.fromkeys(some))
    return {path: with_edits(read_source(path), list(all_), by_path[path].embedded) for path, all_ in edits.items()}


def _all_tied(path: Path, tied: Mapping[Path, set[Path]]) -> Iterator[Path]:
    """A file, and those with which it shares a fix, directly or through others."""
    waiting, seen = [path], {path}
    while waiting:
        here = waiting.pop()
        yield here
        new = tied.get(here, set()) - seen
        seen |= new
        waiting += sorted(new)


@dataclass(frozen=True)
class _Shown:
    """How often each rule is broken in each function of a file: what is shown, and what is found in all."""

    shown: Counter[tuple[str, str]]
    found: Counter[tuple[str, str]]

    @staticmethod
    def of(report: FileReport) -> _Shown:
        statements = Statements(report.source)

        def counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
            return Counter((finding.code, statements.at(finding.span.start).function) for finding in findings)

        shown = counted(report.findings)
        return _Shown(shown, shown + counted((*report.unshown, *report.unsure)))

    def beyond(self, before: _Shown) -> str:
        """A rule that is shown more often in a function than it was found there before; empty where there is none.

        One read for several, or before a loop for one in it, is such a rule, too; so there is nothing new where no more
        is to be shown in all.
        """
        for (code, place), count in self.shown.items():
            if count > before.found[code, place] and self._shown_in(place) > before._shown_in(place):
                return code
        return ""

    def _shown_in(self, place: str) -> int:
        return sum(count for (_, function), count in self.shown.items() if function == place)
