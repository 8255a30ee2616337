"""Runs the analysis over many files, in this process or in several, and brings together what came of it.

The files are divided into shares by their order and size alone. Each share is analysed by itself, and the
observations of all of them are joined before any file is reported, so that neither the number of processes nor the
order of the arguments can change a result.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from synclint.config.options import Options
from synclint.findings import Confidence, Context, Finding, Phase, Position, Span
from synclint.fixes.folders import fixable_rules
from synclint.phases import GATE, Phases, uncounted
from synclint.plugins.discovery import PluginError
from synclint.results.file_reports import FileReport
from synclint.results.selection import is_told, may_speak_to_us, reported_codes, severity_of
from synclint.rules.loading import load_rules, rules_with_matchers
from synclint.rules.matching import findings
from synclint.rules.own import ANALYSIS_LIMIT, INTERNAL_ERROR
from synclint.running.limits import MOST_LEARNED_FOR_FEW, TooMuchHasChangedError
from synclint.running.progress import Progress

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from synclint.analysis.frequency.call_graph import CallGraph
    from synclint.analysis.results.events import SyncEvent
    from synclint.analysis.results.expression_facts import Facts
    from synclint.analysis.results.unmentioned import Words
    from synclint.catalog.entries import Catalog
    from synclint.fixes.source_files import SourceFile
    from synclint.rules.records import Rule
    from synclint.running.kept_reports import KeptReports
    from synclint.running.kept_shares import KeptShares
    from synclint.running.learning import Learned, Records, WrittenOutlines
    from synclint.running.seen import Seen
    from synclint.running.shortfalls import Shortfall
    from synclint.running.survey import CodeFile, Survey


# What files of a share have in common is learned once; what two shares have in common, twice. A project is divided
# for as many processes as people have cores, unless it is small, and beyond that only for want of memory.
SHARE_BYTES = 2_000_000
_USUAL_CORES = 4
_LARGEST_SHARE_BYTES = 8_000_000
_BYTES_BETWEEN_COLLECTIONS = 5_000_000
# Edits that leave a file about as large as it was shall leave it in its share; an empty one is work, too.
_COUNTED_BYTES = 4096
_SMALLEST_BYTES = 1536
# A file is analysed in the time in which so many of its size are parsed.
_ANALYSIS_IN_PARSES = 8
_KILLED = "not checked: two processes died on it, because it is nested too deeply or memory ran out"


@dataclass(frozen=True)
class Memory:
    """What earlier runs have left of a project, and where this one leaves what it finds."""

    shares: KeptShares
    reports: KeptReports

    def write(self, files: Sequence[CodeFile]) -> None:
        """Write what is to be kept of a project with these files."""
        self.shares.write(files)
        self.reports.write()


@dataclass(frozen=True)
class Checked:
    """What came of files that were learned together.

    ``reports`` gives one report for each file, in the order given, and makes it when it is asked for; the paths
    ``consulted`` are those on which the reports depend. ``files`` are those that could be read,
    ``words`` those in their texts on which the reports rest.
    """

    reports: Iterator[FileReport]
    consulted: frozenset[str]
    files: tuple[CodeFile, ...]
    words: Words


def check_files(
    files: Sequence[Path],
    roots: Sequence[Path],
    options: Options,
    jobs: int | None = None,
    progress: Progress = lambda count: None,
    phases: Phases | None = None,
    outlines: WrittenOutlines | None = None,
    executor: Executor | None = None,
    memory: Memory | None = None,
    wanted: frozenset[Path] | None = None,
    *,
    with_evidence: bool = False,
) -> Checked:
    """Learn files that may call one another, in up to ``jobs`` processes, so that they can be reported.

    ``roots`` are the files and directories that the user named, from which the project's own modules
    are found. ``jobs`` is None for as many as there are cores. ``progress`` is told how many more files have been
    learned, ``phases`` where the time went. ``outlines`` are those of the files that a run over few files imports.
    An ``executor`` runs the shares instead of processes of ours. ``memory`` is what earlier runs have left.
    ``with_evidence`` says whether findings tell the chain of inferences behind them.

    With ``wanted`` only these of the files are reported. Raises TooMuchHasChangedError then where so much is not
    remembered that nobody would wait for it.
    """
    # Imported here so that results from the cache, and commands which check nothing, do not pay for the engine.
    from synclint.running.survey import survey

    rules_with_matchers()  # a package at fault is told of before there are files that it could cost
    phases = phases or uncounted()
    folders = folders_of(roots)
    with phases.phase(GATE):
        surveyed = survey(files, folders)
    progress(len(files) - len(surveyed.files))
    divided, records = shares(surveyed.files), records_for(with_evidence=with_evidence)
    known = {} if memory is None else _known(divided, memory.shares, progress)
    missing = [share for share in divided if share not in known]
    if wanted is not None and sum(size_of(file) for share in missing for file in share) > MOST_LEARNED_FOR_FEW:
        raise TooMuchHasChangedError
    if executor is None:
        # A run over much of a project learns most of what its files import: outlines are for one over little.
        few = outlines if len(missing) == 1 else None
        learned = learned_here(missing, folders, options, jobs, progress, few, records)
    else:
        from synclint.running.elsewhere import learned_elsewhere

        learned = ((part,) for part in learned_elsewhere(missing, folders, options, executor, records, progress))
    made: dict[tuple[CodeFile, ...], tuple[Learned, ...]] = {share: (part,) for share, part in known.items()}
    for share, found in zip(missing, learned, strict=True):
        made[share] = found
        for part in found:
            phases.add(part.seconds)
        if memory is not None and len(found) == 1:
            memory.shares.keep(share, found[0])
    parts = [part for share in divided for part in made[share]]
    consulted = surveyed.consulted.union(*(part.consulted for part in parts))
    # What a part of a project does not mention, another may.
    is_whole = all(root.is_dir() for root in roots)
    reporting = reporting_on(surveyed, parts, options, is_whole=is_whole)
    if memory is not None:
        reporting = replace(reporting, kept=memory.reports)
    asked_for = files if wanted is None else [path for path in files if path in wanted]
    return Checked(map(reporting.report, asked_for), consulted, surveyed.files, reporting.graph.words)


def _known(
    divided: Sequence[tuple[CodeFile, ...]], kept: KeptShares, progress: Progress
) -> dict[tuple[CodeFile, ...], Learned]:
    """What is known of shares from earlier runs."""
    known: dict[tuple[CodeFile, ...], Learned] = {}
    for share in divided:
        found = kept.find(share)
        if found is not None:
            known[share] = found
            progress(len(share))
    return known


def check_text(
    text: str,
    path: Path,
    roots: Sequence[Path],
    options: Options,
    outlines: WrittenOutlines | None = None,
    *,
    with_evidence: bool = False,
) -> FileReport:
    """Check one file whose text stands, or shall stand, at ``path``."""
    from synclint.running.learning import learn_files
    from synclint.running.survey import survey_text

    surveyed = survey_text(path, text, folders_of(roots))
    records = records_for(with_evidence=with_evidence)
    learned = learn_files(surveyed.files, lambda count: None, folders_of(roots), options, outlines, records)
    return reporting_on(surveyed, [learned], options, is_whole=False).report(path)


def folders_of(roots: Sequence[Path]) -> list[Path]:
    """The roots that modules are looked up in.

    Two of them may hold modules of one name: which is meant must not hang on the order of arguments.
    """
    return sorted({root for root in roots if root.exists() or not root.is_symlink()})


def shares(files: Sequence[CodeFile]) -> list[tuple[CodeFile, ...]]:
    """The files, in the order of their paths, divided into shares of about the same work.

    Those that need no more than to be parsed come last: the others have more in common with one another.
    """
    ordered = sorted(files, key=lambda file: (not file.has_torch_in_reach, file.path))
    sizes = [size_of(file) for file in ordered]
    total = sum(sizes)
    count = max(1, min(round(total / SHARE_BYTES), _USUAL_CORES), round(total / _LARGEST_SHARE_BYTES))
    divided: list[list[CodeFile]] = [[] for _ in range(count)]
    before = 0
    for file, size in zip(ordered, sizes, strict=True):
        divided[min(before * count // total, count - 1)].append(file)
        before += size
    return [tuple(share) for share in divided if share]


def size_of(file: CodeFile) -> int:
    """How much there is to be done, in characters to be analysed."""
    size = _SMALLEST_BYTES + _COUNTED_BYTES * round(len(file.source) / _COUNTED_BYTES)
    return size if file.has_torch_in_reach else size // _ANALYSIS_IN_PARSES


def learned_here(
    divided: Sequence[Sequence[CodeFile]],
    roots: Sequence[Path],
    options: Options,
    jobs: int | None,
    progress: Progress,
    outlines: WrittenOutlines | None,
    records: Records | None,
) -> Iterator[tuple[Learned, ...]]:
    """What came of each share, worked on in this process or in up to ``jobs`` others."""
    from synclint.running.learning import Learned, learn_files

    work = partial(learn_files, roots=roots, options=options, outlines=outlines, records=records)
    processes = min(len(divided), jobs or usable_cores())
    if processes <= 1:
        collected = 0
        for share in divided:
            size = sum(map(size_of, share))
            if collected + size > _BYTES_BETWEEN_COLLECTIONS:
                gc.collect()  # the trees of earlier shares refer to one another
                collected = 0
            collected += size
            yield (work(share, progress),)
        return
    from synclint.running.processes import work_in_processes

    _ = options.catalog  # made once, before there are processes that would each do so
    for done in work_in_processes(divided, work, processes, progress, meanwhile=_prepare_reports):
        left_out = (Learned(killed=tuple(file.path for file in done.left_out)),) if done.left_out else ()
        yield (*done.results, *left_out)


def records_for(*, with_evidence: bool = False, paths: frozenset[Path] = frozenset()) -> Records | None:
    """What the matchers of other packages need to know, nothing without any unless evidence is asked for.

    The files at ``paths``, which are resolved, are recorded in any case.
    """
    from synclint.running.learning import Records

    words = tuple(word for rule in rules_with_matchers() for word in rule.match_words)
    return Records(words, with_evidence, paths) if words or with_evidence or paths else None


def _prepare_reports() -> None:
    """Load what reports will need, while there is nothing to report."""
    load_rules()


def usable_cores() -> int:
    """How many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ReportsByBasis(Protocol):
    """Reports that were made before, by hashes of what they were made of."""

    def find(self, path: str, basis: str, other: Callable[[str], str]) -> FileReport | None:
        """The report of a file that has this basis; ``other`` tells what is now taken from another file."""

    def keep(self, path: str, basis: str, others: Mapping[str, str], seen: Seen, report: FileReport) -> None:
        """Keep a report that was made of what was ``seen``, and of these other files."""


@dataclass(frozen=True)
class Reporting:
    """What reports are made of: the files as they were read, and what has been learned of all of them together."""

    codes: Mapping[Path, CodeFile]
    graph: CallGraph
    problems: Mapping[Path, str]
    shortfalls: Mapping[Path, Shortfall]
    options: Options
    kept: ReportsByBasis | None = None

    def report(self, path: Path) -> FileReport:
        """The report of one file."""
        if path in self.problems:
            return FileReport(path, problem=self.problems[path])
        file = self.codes.get(path)
        if file is None:
            return FileReport(path, (_not_checked(path, self.shortfalls[path]),))
        # What matchers of other packages find rests on more, and so does what stands in cells.
        if self.kept is None or file.embedded is not None or is_matched(file):
            return self._made(file, set())
        basis = self._basis(file)
        known = self.kept.find(str(path), basis, self._basis_elsewhere) if basis else None
        if known is not None:
            return known
        others: set[str] = set()
        report = self._made(file, others)
        if basis:
            elsewhere = {other: self._basis_elsewhere(other) for other in sorted(others)}
            real = str(file.real_path)
            from synclint.running.seen import Seen

            seen = Seen(self.graph.events(real, str(path)), self.graph.facts.get(real, {}))
            self.kept.keep(str(path), basis, elsewhere, seen, report)
        return report

    def _made(self, file: CodeFile, others: set[str]) -> FileReport:
        """The report of a file; the other files at which its fixes look are added to ``others``."""
        events_of = partial(all_events, file, self.graph, self.options)
        report = _report(file, self.shortfalls.get(file.path), events_of, self.options)
        return _with_fixes(report, file, self._fixing, others, self.options)

    def _basis(self, file: CodeFile) -> str:
        """A hash of all that a report is made of."""
        path = str(file.real_path)
        events = self.graph.events(path, str(file.path))
        shortfall = self.shortfalls.get(file.path)
        said = None if shortfall is None else [shortfall.rule.code, shortfall.message, shortfall.place]
        return _hash_of([str(file.path), file.source, events, said, self._facts(path)])

    def _basis_elsewhere(self, path: str) -> str:
        """A hash of what fixes elsewhere take from a file."""
        file = self._fixing.codes.get(path)
        if file is None or file.embedded is not None:
            return ""
        return _hash_of([file.source, self._facts(path)])

    def _facts(self, path: str) -> list[tuple[object, object]]:
        return list(self.graph.facts.get(path, {}).items())

    @cached_property
    def _fixing(self) -> _Fixing:
        return _Fixing({str(file.real_path): file for file in self.codes.values()}, self.graph.facts)


def _hash_of(values: object) -> str:
    """A hash of what can be written, empty for text that cannot, such as the names of some files."""
    import msgspec  # which a run without memory does without

    try:
        return blake2b(msgspec.msgpack.encode(values), digest_size=20).hexdigest()
    except UnicodeEncodeError:
        return ""


def reporting_on(surveyed: Survey, parts: Sequence[Learned], options: Options, *, is_whole: bool) -> Reporting:
    """Put together what has been learned of all shares; ``is_whole`` says that they are all of a project."""
    from synclint.analysis.frequency.call_graph import CallGraph
    from synclint.analysis.results.observations import joined

    sources = [file.source for file in surveyed.files if not _is_of_tests(file.path)] if is_whole else []
    graph = CallGraph(joined(part.observations for part in parts), sources)
    problems = {**surveyed.problems, **{path: f"{path}: {_KILLED}" for part in parts for path in part.killed}}
    shortfalls = {**surveyed.shortfalls}
    for part in parts:
        shortfalls.update(part.shortfalls)
    return Reporting({file.path: file for file in surveyed.files}, graph, problems, shortfalls, options)


def _is_of_tests(path: Path) -> bool:
    from synclint.analysis.program.test_modules import is_test

    return is_test(".".join(path.with_suffix("").parts).lower())


def _report(
    file: CodeFile, shortfall: Shortfall | None, events_of: Callable[[], list[SyncEvent]], options: Options
) -> FileReport:
    try:
        report = report_on(file, shortfall, events_of(), options)
    except PluginError:
        raise
    except Exception as error:
        from synclint.running.shortfalls import internal_error

        # An error of our own in one file: the others must not lose their results by it.
        report = FileReport(file.path, (_not_checked(file.path, internal_error(file.path, error)),))
    if not report.all_found:
        return report
    return replace(report, source=file.source, embedded=file.embedded)


def report_by_itself(file: CodeFile, seen: Seen, options: Options) -> FileReport:
    """The report of a file whose fixes look at no other, by what is known to have been seen in it."""
    others: set[str] = set()
    report = _report(file, None, lambda: seen.events, options)
    return _with_fixes(report, file, _Fixing({}, {str(file.real_path): seen.facts}), others, options)


@dataclass(frozen=True)
class _Fixing:
    """What fixes look at: the files of the run by their resolved paths, and the facts about what stands in them."""

    codes: Mapping[str, CodeFile]
    facts: Mapping[str, Facts]

    def plain(self, path: str) -> SourceFile | None:
        """A file of the run that is Python itself."""
        code = self.codes.get(path)
        return self.source(code) if code is not None and code.embedded is None else None

    def source(self, file: CodeFile) -> SourceFile:
        """A file of the run as fixes see it."""
        from synclint.fixes.source_files import SourceFile

        path = str(file.real_path)
        return SourceFile(path, file.source, self.facts.get(path, {}))


def _with_fixes(
    report: FileReport, file: CodeFile, fixing: _Fixing, others: set[str], options: Options
) -> FileReport:
    rules = fixable_rules()
    if not any(finding.code in rules for finding in report.findings):
        return report
    from synclint.fixes.offering import with_fixes

    def plain(path: str) -> SourceFile | None:
        others.add(path)
        return fixing.plain(path)

    try:
        releases = dict(options.library_versions)
        found = with_fixes(report.findings, fixing.source(file), plain, options.torch_version, releases)
    except Exception as error:
        from synclint.running.shortfalls import internal_error

        # An error in a fix: what was found stays found.
        found = [*report.findings, _not_checked(file.path, internal_error(file.path, error))]
    return replace(report, findings=tuple(found))


def report_on(
    file: CodeFile, shortfall: Shortfall | None, events: list[SyncEvent], options: Options
) -> FileReport:
    """What is found in a file, asked for or not, with these waits in it; without the file's source."""
    path = file.path
    said = findings(events, load_rules(), options.catalog) if events else []
    complaints: Sequence[Finding] = ()
    suppressed: Sequence[Finding] = ()
    silenced: Sequence[Finding] = ()
    is_whole = shortfall is None
    if (said or is_whole) and may_speak_to_us(file.source, said):
        from synclint.adoption.suppressions import review

        # Whether a comment suppresses anything does not depend on what is asked for; but nobody can tell where a part
        # of the file was not checked.
        reviewed = review(said, file.source, path, options.require_reason)
        said = list(reviewed.findings)
        suppressed, silenced = reviewed.suppressed, reviewed.silenced
        complaints = reviewed.complaints if is_whole else ()
    codes = reported_codes(options, path) if said or complaints or suppressed or silenced else frozenset()
    said = [finding for finding in said if finding.code in codes]
    if options.severity:
        said = [replace(finding, severity=severity_of(finding, options)) for finding in said]
    shown = _settled([finding for finding in said if options.admits(finding)], file.source, options.catalog)
    shown += [complaint for complaint in complaints if complaint.code in codes]
    if shortfall is not None and is_told(shortfall.rule, options):
        shown.append(_not_checked(path, shortfall))
    return FileReport(
        path,
        tuple(sorted(shown, key=lambda finding: finding.span)),
        unshown=tuple(f for f in said if options.is_sure(f) and not options.is_asked_for(f.context)),
        unsure=tuple(f for f in said if not options.is_sure(f)),
        suppressed=tuple(f for f in suppressed if f.code in codes),
        silenced=tuple(f for f in silenced if f.code in codes and options.admits(f)),
    )


def all_events(file: CodeFile, graph: CallGraph, options: Options) -> list[SyncEvent]:
    """What makes the host wait in a file: what the analysis found, and what matchers of other packages find.

    Raises PluginError for a matcher that fails.
    """
    events = graph.events(str(file.real_path), str(file.path))
    matching = _matching(file)
    if not matching:
        return events
    # Imported here because only a file that may be matched is worth importing libcst.
    from synclint.results.expression_facts import FileFacts, facts_by_place
    from synclint.running.added_matches import matched_events

    waits = tuple(findings(events, load_rules(), options.catalog))
    facts = FileFacts(file.path, file.source, (), facts_by_place(graph, str(file.real_path)), waits)
    return [*events, *matched_events(matching, facts, str(file.path))]


def is_matched(file: CodeFile) -> bool:
    """Whether there are matchers for a file, which need all of its expressions to be recorded."""
    return bool(_matching(file))


def _matching(file: CodeFile) -> list[Rule]:
    return [rule for rule in rules_with_matchers() if any(word in file.source for word in rule.match_words)]


def _settled(shown: list[Finding], source: str, catalog: Catalog) -> list[Finding]:
    if not shown:
        return []
    from synclint.results.settling import settled

    return settled(shown, source, catalog)


# What to do about what kept a file from being checked; a syntax error speaks for itself.
_ADVICE = {
    ANALYSIS_LIMIT.code: "Split or simplify the function, or leave the file out with `exclude`.",
    INTERNAL_ERROR.code: "Until this is fixed, leave the file out with `exclude`.",
}


def _not_checked(path: Path, shortfall: Shortfall) -> Finding:
    rule, start = shortfall.rule, shortfall.place
    return Finding(
        code=rule.code,
        name=rule.name,
        message=" ".join(shortfall.message.split()),
        filename=str(path),
        span=Span(start, Position(start.line, start.column + 1)),
        severity=rule.severity,
        confidence=Confidence.HIGH,
        mechanism=rule.mechanism,
        context=Context(Phase.STEP, reason=""),
        instead=_ADVICE.get(rule.code, ""),
    )
