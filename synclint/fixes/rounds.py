"""Makes fixes in the texts of files, round by round, until nothing changes; what would do harm is left out.

A fix can make room for another one, and two may want the same place: each round makes as many as have room beside one
another and checks all files anew. Where something is found in the end that was not there before, the fixes to which it
is owed are left out, and the others are made again from the beginning. Nothing is written here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from synclint.adoption.edits import with_edits
from synclint.analysis.syntax.parsing import ParseFailure, check_syntax
from synclint.analysis.syntax.positions import lines_of
from synclint.files.real_paths import real_path
from synclint.findings import Edit, Finding, Fix, Span
from synclint.fixes.news import LEFT_OF_MANY, News, Shown
from synclint.fixes.offers import is_offered
from synclint.fixes.unused_imports import without_unused_imports
from synclint.results.file_reports import FileReport
from synclint.results.statements import Statements
from synclint.sources.decoding import UnreadableSourceError, read_source, unsaved_texts
from synclint.sources.embedded import EmbeddedSourceError
from synclint.sources.extraction import extract

MOST_ROUNDS = 10
# After so many beginnings, files in which something new is found are left as they are.
_MOST_BEGINNINGS = 6
_NONE = "no fixes are made"
# Checks all files of a run, with other texts in the place of some of them.
CheckAll = Callable[[], Sequence[FileReport]]
IsWanted = Callable[[Finding], bool]


class _Key(NamedTuple):
    """What a fix is known by in every beginning: where its finding stands, by words, and what it writes."""

    path: Path
    code: str
    function: str
    line: str
    written: tuple[tuple[str, str], ...]


_Written: TypeAlias = tuple[Path, str]


class Change(NamedTuple):
    """The text of a file before and after."""

    before: str
    after: str


@dataclass(frozen=True)
class Fixed:
    """What came of the rounds.

    ``changes`` are those of the files, by their resolved paths, and ``reports`` what is found in all files
    afterwards; ``counts`` are the findings that were fixed in each file, by rule. ``left`` says which fixes were left
    out and why, a sentence for each file.
    """

    reports: Sequence[FileReport]
    changes: Mapping[Path, Change] = field(default_factory=dict)
    counts: Mapping[Path, Counter[str]] = field(default_factory=dict)
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Made:
    """A fix that is made: the rules of its findings, the edits by file, and the functions and lines that it writes."""

    key: _Key
    codes: tuple[str, ...]
    edits: Mapping[Path, tuple[Edit, ...]]
    functions: frozenset[_Written]
    lines: frozenset[_Written]


@dataclass
class _Attempt:
    """What came of rounds that began with the files as they are; ``faults`` are those of texts that do not parse."""

    by_path: dict[Path, FileReport]
    texts: dict[Path, str] = field(default_factory=dict)
    made: list[_Made] = field(default_factory=list)
    faults: dict[Path, str] = field(default_factory=dict)


def fixed(
    reports: Sequence[FileReport], check: CheckAll, *, unsafe: bool, is_wanted: IsWanted = lambda finding: True
) -> Fixed:
    """Make the fixes that ``reports`` offer and that are wanted, those that are not safe only if asked for.

    ``check`` checks the same files again.
    """
    first = _by_real_path(reports)
    shown = {path: Shown.of(report) for path, report in first.items()}
    left = LEFT_OF_MANY if unsafe else frozenset[str]()
    left_out: dict[_Key, tuple[Path, str]] = {}
    closed: dict[Path, str] = {}

    def may_be_made(one: _Made) -> bool:
        return one.key not in left_out and closed.keys().isdisjoint(one.edits)

    def is_offered_and_wanted(finding: Finding) -> bool:
        return is_offered(finding, unsafe=unsafe) and is_wanted(finding)

    for beginning in range(_MOST_BEGINNINGS + 1):
        attempt = _made_from(first, check, is_offered_and_wanted, may_be_made)
        news = dict(_news(attempt, first, shown, left))
        if not news:
            break
        for path, (why, places) in news.items():
            guilty = [one.key for one in _guilty(attempt, path, places) if one.key not in left_out]
            left_out.update(dict.fromkeys(guilty, (path, why)))
            if not guilty or beginning + 1 >= _MOST_BEGINNINGS:
                closed[path] = why
    else:
        said = tuple(f"{first[path].path}: {_NONE}: {why}" for path, why in closed.items())
        return Fixed(tuple(reports), left=said)
    before = {path: read_source(path) for path in attempt.texts}
    changes = {path: Change(before[path], text) for path, text in attempt.texts.items() if text != before[path]}
    counts: dict[Path, Counter[str]] = defaultdict(Counter)
    for one in attempt.made:
        counts[one.key.path].update(one.codes)
    after = tuple(attempt.by_path[real_path(report.path)] for report in reports)
    kept = {path: counts[path] for path in changes if counts[path]}
    return Fixed(after, changes, kept, tuple(_sentences(left_out, closed, first)))


def _made_from(
    first: Mapping[Path, FileReport], check: CheckAll, is_wanted: IsWanted, may_be_made: Callable[[_Made], bool]
) -> _Attempt:
    """Make fixes round by round until nothing changes, or a text no longer parses."""
    attempt = _Attempt(dict(first))
    for _ in range(MOST_ROUNDS):
        with unsaved_texts(attempt.texts):
            made = list(_chosen(attempt.by_path, is_wanted, may_be_made))
            changed = _changed(made, attempt.by_path)
        if not changed:
            break
        attempt.made += made
        attempt.texts.update(changed)
        attempt.faults = {path: why for path, text in changed.items() if (why := _fault(path, text))}
        if attempt.faults:
            break
        with unsaved_texts(attempt.texts):
            attempt.by_path = _by_real_path(check())
    return attempt


def _news(
    attempt: _Attempt, first: Mapping[Path, FileReport], shown: Mapping[Path, Shown], left: frozenset[str]
) -> Iterator[tuple[Path, tuple[str, Sequence[News]]]]:
    """What speaks against the text of a file, and where that is found."""
    if attempt.faults:
        yield from ((path, (why, ())) for path, why in attempt.faults.items())
        return
    for path, report in attempt.by_path.items():
        if report is first[path]:
            continue
        if report.problem is not None and path in attempt.texts:
            yield path, (report.problem, ())
        elif report.problem is None:
            found = Shown.of(report).beyond(shown[path], left)
            if found:
                yield path, (f"{found[0].code} would be a new finding", found)


def _guilty(attempt: _Attempt, path: Path, places: Sequence[News]) -> list[_Made]:
    """The fixes to which news are owed: those that wrote the line, else its function, else anything in the file."""
    lines = {(path, one.line) for one in places}
    functions = {(path, one.function) for one in places}
    ways: tuple[Callable[[_Made], bool], ...] = (
        lambda one: not lines.isdisjoint(one.lines),
        lambda one: not functions.isdisjoint(one.functions),
        lambda one: path in one.edits,
    )
    return next((found for way in ways if (found := [one for one in attempt.made if way(one)])), attempt.made)


def _sentences(
    left_out: Mapping[_Key, tuple[Path, str]], closed: Mapping[Path, str], first: Mapping[Path, FileReport]
) -> Iterator[str]:
    """What is said of the fixes that are left out, for each file."""
    by_file: dict[Path, list[str]] = defaultdict(list)
    for key, (_, why) in left_out.items():
        by_file[key.path].append(why)
    for path in dict.fromkeys((*by_file, *closed)):
        count = len(by_file[path])
        some = "1 fix is left out" if count == 1 else f"{count} fixes are left out"
        which = _NONE if path in closed else some
        yield f"{first[path].path}: {which}: {closed.get(path) or by_file[path][0]}"


def _fault(path: Path, text: str) -> str:
    try:
        embedded = extract(path, text)
        check_syntax(text if embedded is None else embedded.module)
    except (ParseFailure, EmbeddedSourceError, UnreadableSourceError) as error:
        return f"the result does not parse ({error})"
    return ""


def _by_real_path(reports: Iterable[FileReport]) -> dict[Path, FileReport]:
    """The reports by the resolved paths of their files; one that was reached by several names is fixed once."""
    found: dict[Path, FileReport] = {}
    for report in reports:
        found.setdefault(real_path(report.path), report)
    return found


def _chosen(
    by_path: Mapping[Path, FileReport], is_wanted: IsWanted, may_be_made: Callable[[_Made], bool]
) -> Iterator[_Made]:
    """The fixes that have room beside one another, in the order of the files and of the places."""
    taken: dict[Path, _Taken] = defaultdict(_Taken)
    statements: dict[Path, Statements] = {}

    @cache
    def source(path: Path) -> str:
        return by_path[path].source or read_source(path)  # a report without findings does not keep its text

    def function(path: Path, span: Span) -> str:
        if path not in statements:
            statements[path] = Statements(source(path))
        return statements[path].at(span.start).function

    for path, report in by_path.items():
        # Several findings may have one fix.
        findings: dict[Fix, list[Finding]] = {}
        for finding in report.findings:
            if finding.fix is not None and is_wanted(finding):
                findings.setdefault(finding.fix, []).append(finding)
        lines = lines_of(report.source)
        for fix, several in findings.items():
            edits = _by_file(fix, path)
            if any(other != path and not _is_plain(by_path.get(other)) for other in edits):
                continue
            if any(taken[other].collides(edit) for other, some in edits.items() for edit in some):
                continue
            start = several[0].span.start
            written = tuple((str(other), edit.replacement) for other, some in edits.items() for edit in some)
            made = _Made(
                _Key(path, several[0].code, function(path, several[0].span), lines[start.line - 1].strip(), written),
                tuple(finding.code for finding in several),
                edits,
                frozenset((other, function(other, edit.span)) for other, some in edits.items() for edit in some),
                frozenset((other, line) for other, some in edits.items() for line in _lines_after(source(other), some)),
            )
            if not may_be_made(made):
                continue
            for other, some in edits.items():
                taken[other].add(some)
            yield made


def _lines_after(source: str, edits: Iterable[Edit]) -> Iterator[str]:
    """The lines that edits leave where each of them changes something, without indentation."""
    lines = lines_of(source)
    for edit in edits:
        (first, start), (last, end) = edit.span
        text = f"{lines[first - 1][: start - 1]}{edit.replacement}{lines[last - 1][end - 1 :]}"
        yield from (line.strip() for line in text.split("\n"))


def _is_plain(report: FileReport | None) -> bool:
    return report is not None and report.problem is None and report.embedded is None


def _by_file(fix: Fix, path: Path) -> dict[Path, tuple[Edit, ...]]:
    found: dict[Path, list[Edit]] = {}
    for edit in fix.edits:
        found.setdefault(Path(edit.path) if edit.path else path, []).append(Edit(edit.span, edit.replacement))
    return {other: tuple(edits) for other, edits in found.items()}


class _Taken:
    """The places of a file that edits have taken, by the lines that they extend over."""

    def __init__(self) -> None:
        self._by_line: dict[int, dict[Edit, None]] = defaultdict(dict)

    def add(self, edits: Iterable[Edit]) -> None:
        """Take places."""
        for edit in edits:
            for line in range(edit.span.start.line, edit.span.end.line + 1):
                self._by_line[line][edit] = None

    def collides(self, edit: Edit) -> bool:
        """Whether an edit wants a place that another one, which is not the same, has taken."""
        lines = range(edit.span.start.line, edit.span.end.line + 1)
        others = (other for line in lines for other in self._by_line.get(line, ()))
        return any(edit != other and _overlap(edit.span, other.span) for other in others)


def _overlap(first: Span, second: Span) -> bool:
    """Whether two places have something in common; what is inserted within a place belongs to it.

    Lines that two fixes insert at the same place stand beside one another.
    """
    if first == second and first.start == first.end:
        return False
    return first.start == second.start or (first.start < second.end and second.start < first.end)


def _changed(made: Iterable[_Made], by_path: Mapping[Path, FileReport]) -> dict[Path, str]:
    edits: dict[Path, dict[Edit, None]] = defaultdict(dict)
    for one in made:
        for path, some in one.edits.items():
            edits[path].update(dict.fromkeys(some))
    return {path: _edited(path, list(_together(all_)), by_path) for path, all_ in edits.items()}


def _edited(path: Path, edits: Sequence[Edit], by_path: Mapping[Path, FileReport]) -> str:
    before, embedded = read_source(path), by_path[path].embedded
    after = with_edits(before, edits, embedded)
    if embedded is not None:
        return after
    return without_unused_imports(path, before, after, lambda: _readable(one for one in by_path if one != path))


def _readable(paths: Iterable[Path]) -> Iterator[str]:
    """The texts of files, but for those that cannot be read."""
    for path in paths:
        with suppress(UnreadableSourceError):
            yield read_source(path)


def _together(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Edits of which those that insert something at one place are one, in the order of the fixes."""
    inserted: dict[Span, str] = {}
    for edit in edits:
        if edit.span.start == edit.span.end:
            inserted[edit.span] = inserted.get(edit.span, "") + edit.replacement
        else:
            yield edit
    yield from (Edit(span, text) for span, text in inserted.items())
