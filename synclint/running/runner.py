"""Runs the analysis over many files, in this process or in several, and brings together what came of it.

The files are divided into shares by their order and size alone. Each share is analysed by itself, and the
observations of all of them are joined before any file is reported, so that neither the number of processes nor the
order of the arguments can change a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from synclint.config.options import Options
from synclint.phases import GATE, Phases, uncounted
from synclint.results.file_reports import FileReport
from synclint.rules.loading import rules_with_matchers
from synclint.running.collection import only_of_what_is_new, without_garbage_collection
from synclint.running.contracts import asks_for_contracts
from synclint.running.here import analysed_here
from synclint.running.limits import MOST_ANALYSED_FOR_FEW, TooMuchHasChangedError
from synclint.running.progress import Progress
from synclint.running.recorded import records_for
from synclint.running.reporting import Reporting, reporting_on
from synclint.running.shares import shares_of, size_of
from synclint.running.user_libraries import prepare

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from synclint.analysis.frequency.contexts import KnownContexts
    from synclint.analysis.program.entry_points import Reach
    from synclint.memo.path_states import PathStates
    from synclint.results.expression_facts import FileFacts
    from synclint.running.context_memo import ContextMemo
    from synclint.running.contract_states import Contracts
    from synclint.running.premises import Premises
    from synclint.running.recorded import Records
    from synclint.running.report_memo import ReportMemo
    from synclint.running.share_memo import ShareMemo
    from synclint.running.share_results import ShareResult
    from synclint.running.survey import CodeFile, SurveyedFiles
    from synclint.running.text_memo import TextMemo


@dataclass(frozen=True)
class Memo:
    """What earlier runs have left of a project, and where this one leaves what it finds.

    There are no ``texts`` in a process that stays, which remembers what texts say by itself.
    """

    shares: ShareMemo
    reports: ReportMemo
    contexts: ContextMemo
    texts: TextMemo | None = None

    def write(self, files: Sequence[CodeFile], states: PathStates) -> None:
        """Write what is to be kept of a project with these files; ``states`` tell what is at paths after the run."""
        self.shares.write(files, states)
        self.reports.write()
        if self.texts is not None:
            self.texts.write()

    def surveyed(self, files: SurveyedFiles) -> SurveyedFiles:
        """Files of the project, of which it is known what their texts say."""
        return files if self.texts is None else replace(files, said=self.texts.said)


# What comes of shares, in their order, by the folders in which modules are looked up and what is to be recorded.
Analyse: TypeAlias = (
    "Callable[[Sequence[tuple[CodeFile, ...]], Sequence[Path], Records | None], Iterator[tuple[ShareResult, ...]]]"
)


@dataclass(frozen=True)
class Checked:
    """What came of files that were analysed together.

    ``reports`` gives one report for each file, in the order given, and makes it when it is asked for; the paths
    ``consulted`` are those on which the reports depend. ``files`` are those that could be read, ``premises`` are what
    the reports rest on besides their code, ``reach`` is what is reached in the project, and ``looked_at`` the files, by
    their resolved paths, at which the fixes of reports have looked so far, but for those that are kept.
    ``contexts_by_file`` tells what is known of the functions of each file by itself, ``facts_of`` what is known of the
    expressions of a recorded file. ``contracts`` are there where the run asks for them.
    """

    reports: Iterator[FileReport]
    consulted: frozenset[str]
    files: tuple[CodeFile, ...]
    premises: Premises
    reach: Reach
    looked_at: Set[str]
    contexts_by_file: Callable[[], Mapping[str, KnownContexts]]
    facts_of: Callable[[CodeFile], FileFacts | None]
    contracts: Contracts | None


def check_files(
    files: Sequence[Path],
    roots: Sequence[Path],
    options: Options,
    jobs: int | None = None,
    progress: Progress = lambda count: None,
    phases: Phases | None = None,
    executor: Executor | None = None,
    memo: Memo | None = None,
    wanted: frozenset[Path] | None = None,
    analyse: Analyse | None = None,
    recorded: frozenset[Path] = frozenset(),
    *,
    with_evidence: bool = False,
) -> Checked:
    """Analyse files that may call one another, in up to ``jobs`` processes, so that they can be reported.

    ``roots`` are the files and directories that the user named, from which the project's own modules
    are found. ``jobs`` is None for as many as there are cores. ``progress`` is told how many more files have been
    analysed, ``phases`` where the time went. An ``executor`` runs the shares instead of processes of ours. ``memory``
    is what earlier runs have left, ``analyse`` another way to learn shares that are not remembered. ``with_evidence``
    says whether findings tell the chain of inferences behind them, ``recorded`` are files, by their resolved paths, of
    whose expressions is told what they stand for.

    With ``wanted`` only these of the files are reported. Raises TooMuchHasChangedError then where so much is not
    remembered that nobody would wait for it.
    """
    # Imported here so that results from the cache, and commands which check nothing, do not pay for the engine.
    from synclint.running.survey import folders_of, survey

    rules_with_matchers()  # a package at fault is told of before there are files that it could cost
    phases = phases or uncounted()
    folders = folders_of(roots)
    with phases.phase(GATE):
        surveyed = survey(files, folders)
        surveyed = surveyed if memo is None else memo.surveyed(surveyed)
    progress(len(files) - len(surveyed.files))
    divided = shares_of(surveyed)
    contracts = asks_for_contracts(surveyed.files, options)
    records = records_for(with_evidence=with_evidence, paths=recorded, contracts=contracts)
    if memo is not None:
        memo.shares.records = records
    known = {} if memo is None else _known(divided, memo.shares, progress)
    missing = [share for share in divided if share not in known]
    if wanted is not None and sum(size_of(file) for share in missing for file in share) > MOST_ANALYSED_FOR_FEW:
        raise TooMuchHasChangedError
    with without_garbage_collection():
        prepare(options, (file.source for share in missing for file in share))
    if analyse is not None:
        results = analyse(missing, folders, records)
    elif executor is None:
        results = analysed_here(missing, folders, options, jobs, progress, records, store=memo is not None)
    else:
        from synclint.running.elsewhere import analysed_elsewhere

        results = ((part,) for part in analysed_elsewhere(missing, folders, options, executor, records, progress))
    made: dict[tuple[CodeFile, ...], tuple[ShareResult, ...]] = {share: (part,) for share, part in known.items()}
    for share, found in zip(missing, results, strict=True):
        made[share] = found
        for part in found:
            phases.add(part.seconds)
        if memo is not None and len(found) == 1:
            memo.shares.keep(share, found[0])
    parts = [part for share in divided for part in made[share]]
    consulted = surveyed.consulted.union(*(part.consulted for part in parts))
    # What a part of a project does not mention, another may.
    is_whole = all(root.is_dir() for root in roots)
    with without_garbage_collection():
        reporting = reporting_on(surveyed, parts, options, is_whole=is_whole)
    if memo is not None:
        reporting = replace(reporting, memo=memo.reports)
    asked_for = files if wanted is None else [path for path in files if path in wanted]
    premises = _premises(surveyed, parts, reporting)
    return Checked(
        _reports(reporting, asked_for),
        consulted,
        surveyed.files,
        premises,
        reporting.graph.reach,
        reporting.looked_at,
        reporting.graph.contexts_by_file,
        reporting.facts_of,
        reporting.contracts,
    )


def _premises(surveyed: SurveyedFiles, parts: Sequence[ShareResult], reporting: Reporting) -> Premises:
    """On what the reports rest besides code, of all that shares have shown together."""
    from synclint.running.premises import Premises, files_alike

    starred = frozenset[str]().union(*(part.starred for part in parts))
    alike = files_alike(surveyed.files)
    return Premises(reporting.graph.reach.premises, starred, alike, reporting.compiled)


def _reports(reporting: Reporting, paths: Iterable[Path]) -> Iterator[FileReport]:
    """The reports of files, each made when it is asked for."""
    with only_of_what_is_new():
        for path in paths:
            yield reporting.report(path)


def _known(
    divided: Sequence[tuple[CodeFile, ...]], memo: ShareMemo, progress: Progress
) -> dict[tuple[CodeFile, ...], ShareResult]:
    """What is known of shares from earlier runs."""
    known: dict[tuple[CodeFile, ...], ShareResult] = {}
    paths = {str(file.real_path): file.path for share in divided for file in share}
    for share in divided:
        found = memo.find(share, paths)
        if found is not None:
            known[share] = found
            progress(len(share))
    return known


def check_text(
    text: str,
    path: Path,
    roots: Sequence[Path],
    options: Options,
    *,
    with_evidence: bool = False,
) -> FileReport:
    """Check one file whose text stands, or shall stand, at ``path``."""
    from synclint.running.share_analysis import analyse_share
    from synclint.running.survey import folders_of, survey_text

    surveyed = survey_text(path, text, folders_of(roots))
    records = records_for(with_evidence=with_evidence, contracts=asks_for_contracts(surveyed.files, options))
    result = analyse_share(surveyed.files, lambda count: None, folders_of(roots), options, records)
    return reporting_on(surveyed, [result], options, is_whole=False).report(path)
