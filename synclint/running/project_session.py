"""Files that are checked again and again while some of their texts change.

What a run leaves for the next one stays in memory, as runs from the command line leave it on disk, and an edit finds
out in the same way what of it still holds. What has changed is told, and nothing else is looked at.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.context import BaseContext
from pathlib import Path, PurePath

import msgspec

from synclint.analysis.program.search_paths import added_to_path
from synclint.config.options import Options
from synclint.files.listings import listing_of, path_changes_of
from synclint.files.real_paths import RealPaths, real_path
from synclint.memo.path_states import ToldStates, surroundings
from synclint.memo.stores import ProcessStore
from synclint.results.expression_facts import FileFacts
from synclint.results.file_reports import FileReport
from synclint.results.findings_json import report_values
from synclint.running.code_memo import CodeMemo
from synclint.running.context_memo import ContextMemo
from synclint.running.edited_runs import Base, likely_report, report_after, reports_after
from synclint.running.finished_runs import FinishedRun
from synclint.running.here import usable_cores
from synclint.running.processes import work_in_processes
from synclint.running.progress import Progress
from synclint.running.recorded import Records
from synclint.running.report_memo import ReportMemo
from synclint.running.runner import Checked, Memo, check_files
from synclint.running.share_analysis import analyse_share
from synclint.running.share_memo import ShareMemo
from synclint.running.share_results import ShareResult
from synclint.running.survey import CodeFile, folders_of
from synclint.sources.decoding import UnreadableSourceError, read_source, unsaved_texts

# So many characters are analysed before a process has been started anew.
_LITTLE = 300_000


@dataclass(frozen=True)
class _Run:
    """The last run over all files: its reports, and what it recorded.

    It ``started`` at a time in nanoseconds. ``base`` is that for what follows from edits, None where too little came of
    it.
    """

    started: int
    files: tuple[Path, ...]
    reports: tuple[FileReport, ...]
    rests_on: FinishedRun
    base: Base | None
    facts: Mapping[Path, FileFacts]


class ProjectSession:
    """Files that follow the same settings; ``analyses`` counts the shares that have been analysed so far."""

    def __init__(
        self, roots: Sequence[Path], options: Options, jobs: int | None = None, context: BaseContext | None = None
    ) -> None:
        self.analyses = 0
        self._roots = roots
        self._options = options
        self._jobs = jobs
        self._context = context
        self._store = ProcessStore()
        self._states = ToldStates()
        self._put_on_path: dict[Path, tuple[PurePath, ...]] = {}
        self._recorded: frozenset[Path] = frozenset()
        self._run: _Run | None = None

    def tell(self, texts: Mapping[Path, str], changed: Collection[Path]) -> None:
        """Let it be known what there is in files that have changed, are new or gone, by their resolved paths.

        ``texts`` stand in the place of those on disk.
        """
        for path in changed:
            changed_at = self._states.tell(str(path), texts.get(path))
            if self._run is not None and changed_at >= self._run.started:
                # While the run went on there may have been yet another text, which some shares have read.
                CodeMemo(self._store, "code").forget(str(path))
                self._run = replace(self._run, base=None)
            added = tuple(added_to_path(_text_of(path, texts), path))
            if added != self._put_on_path.get(path, ()):
                self._put_on_path[path] = added
                self._tell_of(path, path_changes_of(path.parent))

    def _tell_of(self, path: Path, place: str) -> None:
        """Let a place be another one's, by what one of its files has become."""
        self._states.tell(place, f"{self._states.now(place)}, but for {path.name}")

    def record(self, paths: frozenset[Path]) -> None:
        """Let what the expressions of these files stand for, by resolved paths, be known from the next run on."""
        if not paths <= self._recorded:
            self._run = None
        self._recorded = paths

    def facts(self, path: Path) -> FileFacts | None:
        """What the expressions of a recorded file, by its resolved path, stood for in the last run."""
        return None if self._run is None else self._run.facts.get(path)

    def reports(self, files: Sequence[Path], texts: Mapping[Path, str], progress: Progress) -> tuple[FileReport, ...]:
        """The reports of files, in their order.

        What ``progress`` raises ends a run, and the processes that work on it.
        """
        run = self._run
        if run is not None and run.files == tuple(files) and run.base is not None and run.rests_on.changed():
            with unsaved_texts(texts):
                found = reports_after(run.base)
            if found is not None:
                return tuple(found)
        return self.reports_of_run(files, texts, progress)

    def reports_of_run(
        self, files: Sequence[Path], texts: Mapping[Path, str], progress: Progress
    ) -> tuple[FileReport, ...]:
        """The same, after a run that has also found out what recorded expressions stand for by now."""
        run = self._run
        if run is not None and run.files == tuple(files) and not run.rests_on.changed():
            return run.reports
        for path in {*files} ^ {*(run.files if run is not None else files)}:
            self._tell_of(path, listing_of(real_path(path).parent))
        with unsaved_texts(texts):
            self._run = self._run_over(tuple(files), texts, progress)
        self._store.forget_unused()
        return self._run.reports

    def report_after_edits(self, path: Path, texts: Mapping[Path, str]) -> FileReport | None:
        """The report of a file after edits that can be followed without a run; None after others."""
        if self._run is None or self._run.base is None:
            return None
        with unsaved_texts(texts):
            return report_after(self._run.base, path)

    def likely_report(self, path: Path, texts: Mapping[Path, str]) -> FileReport | None:
        """The report of a file as if its edits concerned nothing else; None where nothing is known of it so soon."""
        if self._run is None or self._run.base is None:
            return None
        with unsaved_texts(texts):
            return likely_report(self._run.base, path)

    def _memo(self) -> Memo:
        code = CodeMemo(self._store, "code")
        shares = ShareMemo(self._store, code, folders_of(self._roots), self._options, None, 0, self._states)
        return Memo(shares, ReportMemo(self._store, "reports"), ContextMemo(self._store, "contexts"))

    def _run_over(self, files: tuple[Path, ...], texts: Mapping[Path, str], progress: Progress) -> _Run:
        started, memo = time.time_ns(), self._memo()
        checked = check_files(
            files,
            self._roots,
            self._options,
            progress=progress,
            memo=memo,
            analyse=partial(self._analyse, texts=texts, progress=progress),
            recorded=self._recorded,
            with_evidence=True,
        )
        self._put_on_path = {
            file.real_path: added
            for file in checked.files
            if (added := tuple(added_to_path(file.source, file.real_path)))
        }
        reports = tuple(checked.reports)
        memo.write(checked.files, self._states)
        consulted = {*checked.consulted, *map(str, files)}
        states = self._states.since({*consulted, *surroundings(self._roots, consulted, RealPaths())}, 0)
        finished = FinishedRun(
            [(report, msgspec.Raw(msgspec.json.encode(report_values(report)))) for report in reports],
            states,
            msgspec.Raw(msgspec.json.encode(checked.premises)),
            memo.reports.bases,
            memo.reports.looked_at.union(checked.looked_at),
            memo.contexts.write(checked.contexts_by_file(), checked.reach),
            memo.shares.learned_from,
            self._states,
        )
        recorded = [file for file in checked.files if file.real_path in self._recorded]
        facts = {file.real_path: found for file in recorded if (found := checked.facts_of(file)) is not None}
        return _Run(started, files, reports, finished, self._base(finished, checked, memo.shares.records), facts)

    def _base(self, run: FinishedRun, checked: Checked, records: Records | None) -> Base | None:
        """What follows from edits after a run; None where something went wrong with a share."""
        named = {str(file.real_path): file.path for file in checked.files}
        read = {*named.values()}
        if any(report.has_failed or (report.problem and report.path in read) for report, _ in run.reports):
            return None
        memo = self._memo()  # which knows what the run has left
        memo.shares.records = records
        return Base(run, named, memo, self._options)

    def _analyse(
        self,
        missing: Sequence[tuple[CodeFile, ...]],
        folders: Sequence[Path],
        records: Records | None,
        texts: Mapping[Path, str],
        progress: Progress,
    ) -> Iterator[tuple[ShareResult, ...]]:
        work = partial(_analyse_with, texts=texts, roots=folders, options=self._options, records=records)
        processes = min(len(missing), self._jobs or usable_cores())
        is_little = sum(len(file.source) for share in missing for file in share) < _LITTLE
        if processes < 1 or (processes == 1 and (self._context is None or is_little)):
            for share in missing:
                yield (work(share, progress),)
        else:
            _ = self._options.catalog  # made once, before there are processes that would each do so
            for done in work_in_processes(missing, work, processes, progress, context=self._context):
                yield (*done.results, *_killed(done.left_out))
        self.analyses += len(missing)


def _killed(left_out: Sequence[CodeFile]) -> tuple[ShareResult, ...]:
    return (ShareResult(killed=tuple(file.path for file in left_out)),) if left_out else ()


def _analyse_with(
    files: Sequence[CodeFile],
    progress: Progress,
    texts: Mapping[Path, str],
    roots: Sequence[Path],
    options: Options,
    records: Records | None,
) -> ShareResult:
    """Learn a share in a process that need not know of texts which stand in the place of those on disk."""
    with unsaved_texts(texts):
        return analyse_share(files, progress, roots, options, records=records, store=True)


def _text_of(path: Path, texts: Mapping[Path, str]) -> str:
    """The text at a path, of those in place of others or on disk; empty where there is none."""
    try:
        return texts[path] if path in texts else read_source(path)
    except UnreadableSourceError:
        return ""
