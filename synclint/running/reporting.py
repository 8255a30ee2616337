"""Makes the reports of files, each when it is asked for, of what has been found out about all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.config.options import Options
from synclint.fixes.folders import fixable_rules
from synclint.plugins.discovery import PluginError
from synclint.results.file_reports import FileReport
from synclint.rules.loading import all_rules
from synclint.rules.own import ANALYSIS_LIMIT
from synclint.rules.selectors import select_rules
from synclint.running.contracts import NO_CONTRACTS, FileContracts, asks_for_contracts
from synclint.running.file_findings import all_events, is_matched, not_checked, report_on

if TYPE_CHECKING:
    from synclint.analysis.frequency.call_graph import CallGraph
    from synclint.analysis.results.events import SyncEvent
    from synclint.analysis.results.expression_facts import Facts
    from synclint.findings import Finding
    from synclint.fixes.source_files import SourceFile
    from synclint.results.expression_facts import FileFacts
    from synclint.running.contract_states import Contracts
    from synclint.running.report_memo import ReportMemo
    from synclint.running.seen import SeenInFile
    from synclint.running.share_results import ShareResult
    from synclint.running.shortfalls import Shortfall
    from synclint.running.survey import CodeFile, SurveyedFiles
    from synclint.sources.kept_texts import KeptText

_KILLED = "not checked: two processes died on it, because it is nested too deeply or memory ran out"


@dataclass(frozen=True)
class Reporting:
    """What reports are made of: the files as they were read, and what the analysis has seen in all of them together.

    ``contracts`` are there where a run asks for them; no report is kept then, because what they say of a file rests on
    others.
    ``looked_at`` are the files, by their resolved paths, at which the fixes of reports that are not kept have looked.
    """

    codes: Mapping[Path, CodeFile]
    graph: CallGraph
    problems: Mapping[Path, str]
    shortfalls: Mapping[Path, Shortfall]
    options: Options
    roots: tuple[Path, ...] = ()
    memo: ReportMemo | None = None
    contracts: Contracts | None = None
    looked_at: set[str] = field(default_factory=set)

    def report(self, path: Path) -> FileReport:
        """The report of one file."""
        if path in self.problems:
            return FileReport(path, problem=self.problems[path])
        file = self.codes.get(path)
        if file is None:
            return FileReport(path, (not_checked(path, self.shortfalls[path]),))
        # What matchers of other packages find rests on more, and so does what stands in cells.
        is_by_itself = self.contracts is None and file.embedded is None
        if self.memo is None or not is_by_itself or is_matched(file):
            return self._made(file, self.looked_at)
        events = self.graph.events(str(file.real_path), str(path))
        seen = self._written(file, events)
        basis = "" if seen is None else self._basis(file, seen, self._compiled_in(file) if events else [])
        known = self.memo.find(str(path), basis, self._basis_elsewhere, file.source) if basis else None
        if known is not None:
            return known
        others: set[str] = set()
        report = self._made_of(file, lambda: events, others)
        if not basis:
            self.looked_at.update(others)
        else:
            elsewhere = {other: self._basis_elsewhere(other) for other in sorted(others)}
            self.memo.keep(str(path), basis, elsewhere, None if path in self.shortfalls else seen, report)
        return report

    def facts_of(self, file: CodeFile) -> FileFacts | None:
        """What the expressions of a recorded file stand for; None where that was not found out."""
        from synclint.results.expression_facts import FileFacts, facts_by_place  # which most runs do without

        shortfall = self.shortfalls.get(file.path)
        # What was concluded before an analysis was too much work still holds.
        if shortfall is not None and shortfall.rule is not ANALYSIS_LIMIT:
            return None
        return FileFacts(file.path, file.source, self.roots, facts_by_place(self.graph, str(file.real_path)))

    def _made(self, file: CodeFile, others: set[str]) -> FileReport:
        """The report of a file; the other files at which its fixes look are added to ``others``."""
        return self._made_of(file, partial(all_events, file, self.graph, self.options), others)

    def _made_of(self, file: CodeFile, events_of: Callable[[], list[SyncEvent]], others: set[str]) -> FileReport:
        said = NO_CONTRACTS if self.contracts is None else self.contracts.of(file)
        report = _report(file, self.shortfalls.get(file.path), events_of, self.options, said)
        return _with_fixes(report, file, self._fixing, others, self.options)

    def _written(self, file: CodeFile, events: list[SyncEvent]) -> bytes | None:
        """What was seen in a file, as it is written; None for text that cannot be, such as the names of some files."""
        from synclint.running.seen import SeenInFile, written_seen  # which a run without memory does without

        try:
            return written_seen(SeenInFile(events, self.graph.facts.get(str(file.real_path), {})))
        except UnicodeEncodeError:
            return None

    def _basis(self, file: CodeFile, seen: bytes, compiled: list[str]) -> str:
        """A hash of all that a report is made of."""
        shortfall = self.shortfalls.get(file.path)
        said = None if shortfall is None else [shortfall.rule.code, shortfall.message, shortfall.place]
        return _hash_of([str(file.path), file.kept.utf8, said, seen, compiled])

    def _basis_elsewhere(self, path: str) -> str:
        """A hash of what fixes elsewhere take from a file."""
        file = self._fixing.codes.get(path)
        if file is None or file.embedded is not None:
            return ""
        return _hash_of([file.source, list(self.graph.facts.get(path, {}).items()), self._compiled_in(file)])

    @cached_property
    def _fixing(self) -> _Fixing:
        codes = {str(file.real_path): file for file in self.codes.values()}
        return _Fixing(codes, self.graph.facts, lambda: self.compiled)

    @cached_property
    def compiled(self) -> frozenset[str]:
        """The names of what the files hand to a compiler: no fix is offered there."""
        return compiled_by(self.codes.values())

    def _compiled_in(self, file: CodeFile) -> list[str]:
        """Those of these names that a file has."""
        return sorted(name for name in self.compiled if name in file.source)


def compiled_by(files: Iterable[CodeFile], others: Iterable[KeptText] = ()) -> frozenset[str]:
    """The names of what files hand to a compiler, and other texts beside them."""
    from synclint.fixes.scripted import compiled_names

    return compiled_names([*(file.kept for file in files if file.embedded is None), *others])


def _hash_of(values: object) -> str:
    """A hash of what can be written, empty for text that cannot, such as the names of some files."""
    import msgspec  # which a run without memory does without

    try:
        return blake2b(msgspec.msgpack.encode(values, order="deterministic"), digest_size=20).hexdigest()
    except UnicodeEncodeError:
        return ""


def reporting_on(
    surveyed: SurveyedFiles, parts: Sequence[ShareResult], options: Options, *, is_whole: bool
) -> Reporting:
    """Put together what came of all shares; ``is_whole`` says that they are all of a project."""
    from synclint.analysis.frequency.call_graph import CallGraph
    from synclint.analysis.results.observations import joined
    from synclint.running.project_reach import project_reach

    graph = CallGraph(joined(part.observations for part in parts), project_reach(surveyed) if is_whole else None)
    problems = {**surveyed.problems, **{path: f"{path}: {_KILLED}" for part in parts for path in part.killed}}
    shortfalls = {**surveyed.shortfalls}
    for part in parts:
        shortfalls.update(part.shortfalls)
    files = {file.path: file for file in surveyed.files}
    contracts = None
    if asks_for_contracts(surveyed.files, options):
        from synclint.running.contract_states import Contracts  # which a project without contracts does without

        contracts = Contracts(surveyed.files, graph, shortfalls, options)
    return Reporting(files, graph, problems, shortfalls, options, surveyed.roots, contracts=contracts)


def _report(
    file: CodeFile,
    shortfall: Shortfall | None,
    events_of: Callable[[], list[SyncEvent]],
    options: Options,
    contracts: FileContracts,
) -> FileReport:
    try:
        report = report_on(file, shortfall, events_of(), options, contracts)
    except PluginError:
        raise
    except Exception as error:
        from synclint.running.shortfalls import internal_error

        # An error of our own in one file: the others must not lose their results by it.
        report = FileReport(file.path, (not_checked(file.path, internal_error(file.path, error)),))
    if not report.all_found:
        return report
    return replace(report, source=file.source, embedded=file.embedded)


def report_by_itself(file: CodeFile, seen: SeenInFile, options: Options, compiled: frozenset[str]) -> FileReport | None:
    """The report of a file by what is known to have been seen in it; None where its fixes look at others.

    ``compiled`` are the names of what the files of the run hand to a compiler.
    """
    others: set[str] = set()
    report = _report(file, None, lambda: seen.events, options, NO_CONTRACTS)
    fixing = _Fixing({}, {str(file.real_path): seen.facts}, lambda: compiled)
    report = _with_fixes(report, file, fixing, others, options)
    return None if others else report


def with_fixes_of_text(
    report: FileReport, file: CodeFile, facts: Facts, options: Options, compiled: Callable[[], frozenset[str]]
) -> FileReport:
    """The report of a file with the fixes that look at nothing but the file, and at what others hand to a compiler."""
    return _with_fixes(report, file, _Fixing({}, {str(file.real_path): facts}, compiled), set(), options)


@dataclass(frozen=True)
class _Fixing:
    """What fixes look at: the files of the run by their resolved paths, and the facts about what stands in them.

    ``compiled`` tells the names of what these files hand to a compiler.
    """

    codes: Mapping[str, CodeFile]
    facts: Mapping[str, Facts]
    compiled: Callable[[], frozenset[str]]

    def plain(self, path: str) -> SourceFile | None:
        """A file of the run that is Python itself."""
        code = self.codes.get(path)
        return self.source(code) if code is not None and code.embedded is None else None

    def source(self, file: CodeFile) -> SourceFile:
        """A file of the run as fixes see it."""
        from synclint.fixes.source_files import SourceFile

        path = str(file.real_path)
        return SourceFile(path, file.source, self.facts.get(path, {}))


@cache
def _fixable(fixable: tuple[str, ...], unfixable: tuple[str, ...]) -> frozenset[str]:
    """The rules whose findings are given fixes, as far as there are any."""
    chosen = select_rules(fixable, unfixable, all_rules()) if fixable or unfixable else all_rules()
    return frozenset(rule.code for rule in chosen if rule.code in fixable_rules())


def _with_fixes(report: FileReport, file: CodeFile, fixing: _Fixing, others: set[str], options: Options) -> FileReport:
    rules = _fixable(options.fixable, options.unfixable)
    if not any(finding.code in rules for finding in report.findings):
        return report
    from synclint.fixes.offering import with_fixes
    from synclint.running.shortfalls import internal_error

    def plain(path: str) -> SourceFile | None:
        others.add(path)
        return fixing.plain(path)

    def failed(error: Exception) -> Finding:
        return not_checked(file.path, internal_error(file.path, error))

    try:
        releases = dict(options.library_versions)
        source, compiled = fixing.source(file), fixing.compiled()
        offered = with_fixes(report.findings, rules, source, plain, options.torch_version, releases, compiled)
    except PluginError:
        raise
    except Exception as error:
        # Before any rule was asked: what was found stays found.
        return replace(report, findings=(*report.findings, failed(error)))
    errors = (_in_fix(finding, failed(error)) for finding, error in offered.errors.values())
    return replace(report, findings=(*offered.findings, *errors))


def _in_fix(finding: Finding, failure: Finding) -> Finding:
    """What is said of an error in the code of the rule that found something."""
    return replace(
        failure,
        message=f"in the fix of {finding.code}: {failure.message}",
        span=finding.span,
        instead=f'Until this is mended, leave its fixes out: `unfixable = ["{finding.code}"]`.',
    )
