"""Files that are checked again and again while some of their texts change: what rests on no changed text is kept.

A share of the files is analysed anew when a file has changed that is one of its own, or at which it has looked, unless
the edit can be put into its analysis. All else is put together as in any other run: the results are those of one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing.context import BaseContext
from pathlib import Path

from synclint.config.options import Options
from synclint.results.expression_facts import FileFacts, facts_by_place
from synclint.results.file_reports import FileReport
from synclint.rules.own import ANALYSIS_LIMIT
from synclint.running.edited_files import EditedFiles
from synclint.running.edited_shares import EditedShares
from synclint.running.held_reports import HeldReports
from synclint.running.held_shares import HeldShare, held_share, with_new_text
from synclint.running.here import usable_cores
from synclint.running.open_shares import OpenShares
from synclint.running.processes import work_in_processes
from synclint.running.progress import Progress
from synclint.running.recorded import Records, records_for
from synclint.running.reporting import Reporting, reporting_on
from synclint.running.same_code import is_same_besides_code
from synclint.running.share_analysis import AnalysedShare, ShareResult, analyse_editable_share, analyse_share
from synclint.running.shares import shares_of
from synclint.running.survey import CodeFile, Survey, folders_of, survey
from synclint.sources.code_ends import changed_comments, code_ends
from synclint.sources.decoding import unsaved_texts

# So many characters are analysed before a process has been started anew.
_LITTLE = 300_000


class HeldFiles:
    """Files that follow the same settings; ``analyses`` counts the shares that have been analysed so far."""

    def __init__(
        self, roots: Sequence[Path], options: Options, jobs: int | None = None, context: BaseContext | None = None
    ) -> None:
        self.analyses = 0
        self._roots = roots
        self._options = options
        self._jobs = jobs
        self._context = context
        self._surveyed: Survey | None = None
        self._files: tuple[Path, ...] = ()
        self._shares: dict[tuple[CodeFile, ...], HeldShare] = {}
        self._reports: tuple[FileReport, ...] = ()
        self._reporting: Reporting | None = None
        self._code_ends: dict[Path, Mapping[int, int]] = {}
        self._recorded: frozenset[Path] = frozenset()
        self._kept_reports = HeldReports()
        self._open = OpenShares(self._analysed)
        self._edits: EditedFiles | None = None

    def record(self, paths: frozenset[Path]) -> None:
        """Let what the expressions of these files stand for, by resolved paths, be known from the next reports on.

        A share that was analysed without one of them is analysed again.
        """
        added = paths - self._recorded
        self._recorded = paths
        shares = {
            share: known for share, known in self._shares.items() if not any(file.real_path in added for file in share)
        }
        if len(shares) < len(self._shares):
            self._shares, self._reports, self._reporting, self._edits = shares, (), None, None
            self._open.close_all()

    def facts(self, path: Path) -> FileFacts | None:
        """What the expressions of a recorded file stand for, as of the last reports; None where nothing is known."""
        if self._reporting is None or self._surveyed is None or path not in self._recorded:
            return None
        file = next((file for file in self._surveyed.files if file.real_path == path), None)
        shortfall = None if file is None else self._reporting.shortfalls.get(file.path)
        # What was concluded before an analysis was too much work still holds.
        if file is None or (shortfall is not None and shortfall.rule is not ANALYSIS_LIMIT):
            return None
        return FileFacts(file.path, file.source, tuple(self._roots), facts_by_place(self._reporting.graph, str(path)))

    def reports(
        self, files: Sequence[Path], texts: Mapping[Path, str], changed: Collection[Path], progress: Progress
    ) -> tuple[FileReport, ...]:
        """The reports of files, in their order; ``texts`` stand in the place of those on disk, by resolved paths.

        ``changed`` are the resolved paths of files with another text than the last time, those that are new or gone
        included. What ``progress`` raises ends the run, and the processes that work on it; what was held before stays
        as it was, so that the next run has to be told of the same changes again.
        """
        if self._reports and not changed and tuple(files) == self._files:
            return self._reports
        folders = folders_of(self._roots)
        with unsaved_texts(texts):
            if tuple(files) == self._files and self._is_same_code(changed):
                return self._reports
            surveyed = self._survey(files, changed, folders)
            names = {str(path) for path in changed}
            divided = shares_of(surveyed.files)
            edited = self._edited_shares(surveyed, divided, changed, progress)
            held = {share: edited.get(share) or self._shares.get(share) for share in divided}
            missing = [
                share
                for share, known in held.items()
                if known is None or (share not in edited and known.consulted & names)
            ]
            kept = {share: known for share, known in held.items() if known is not None and share not in missing}
            kept |= self._analyse(missing, folders, texts, progress)
            parts = [result for share in divided for result in kept[share].results]
            is_whole = all(root.is_dir() for root in self._roots)
            reporting = replace(
                reporting_on(surveyed, parts, self._options, is_whole=is_whole), kept=self._kept_reports
            )
            reports = tuple(map(reporting.report, files))
        self._code_ends.clear()
        self._reporting, self._edits = reporting, EditedFiles(surveyed, kept, reporting, self._open)
        self._surveyed, self._files, self._shares, self._reports = surveyed, tuple(files), kept, reports
        return reports

    def _is_same_code(self, changed: Collection[Path]) -> bool:
        """Whether all files are the code that they were, with other comments; then their reports are made anew.

        What a comment says matters to the reports of its own file, and wherever the words of all files are counted.
        """
        surveyed, reporting = self._surveyed, self._reporting
        if surveyed is None or reporting is None:
            return False
        by_real_path = {file.real_path: file for file in surveyed.files}
        made: dict[CodeFile, CodeFile] = {}
        for path in changed:
            old = by_real_path.get(path)
            new = None if old is None or old.embedded is not None else with_new_text(old)
            if old is None or new is None:
                return False
            ends = self._code_ends.get(path)
            if ends is None:
                ends = self._code_ends[path] = code_ends(old.source)
            said = changed_comments(old.source, new.source, ends)
            if said is None or not is_same_besides_code(old.source, new.source):
                return False
            if reporting.graph.words.could_change(*said):
                return False
            made[old] = new
        files = tuple(made.get(file, file) for file in surveyed.files)
        shares_now = [tuple(made.get(file, file) for file in share) for share in self._shares]
        if set(shares_of(files)) != set(shares_now):
            return False
        self._shares = dict(zip(shares_now, self._shares.values(), strict=True))
        self._surveyed = replace(surveyed, files=files)
        self._reporting = replace(reporting, codes={file.path: file for file in files})
        self._edits = EditedFiles(self._surveyed, self._shares, self._reporting, self._open)
        again = {file.path for file in made.values()}
        self._reports = tuple(
            self._reporting.report(report.path) if report.path in again or _edits_others(report) else report
            for report in self._reports
        )
        return True

    def _analyse(
        self,
        missing: Sequence[tuple[CodeFile, ...]],
        folders: Sequence[Path],
        texts: Mapping[Path, str],
        progress: Progress,
    ) -> dict[tuple[CodeFile, ...], HeldShare]:
        records = records_for(with_evidence=True, paths=self._recorded)
        work = partial(_analyse_with, texts=texts, roots=folders, options=self._options, records=records)
        processes = min(len(missing), self._jobs or usable_cores())
        is_little = sum(len(file.source) for share in missing for file in share) < _LITTLE
        if processes <= 1 and (self._context is None or is_little):
            made: list[tuple[ShareResult, ...]] = [(work(share, progress),) for share in missing]
        else:
            _ = self._options.catalog  # made once, before there are processes that would each do so
            made = [
                (*done.results, *_killed(done.left_out))
                for done in work_in_processes(missing, work, processes, progress, context=self._context)
            ]
        self.analyses += len(missing)
        return {share: held_share(share, results) for share, results in zip(missing, made, strict=True)}

    def _analysed(self, share: Sequence[CodeFile], progress: Progress) -> AnalysedShare:
        """A share that can be edited, with the texts that its files have here."""
        self.analyses += 1
        records = records_for(with_evidence=True, paths=self._recorded)
        files = self._surveyed.files if self._surveyed is not None else share
        with unsaved_texts({file.real_path: file.source for file in files if file.embedded is None}):
            return analyse_editable_share(share, progress, folders_of(self._roots), self._options, records=records)

    def _edited_shares(
        self,
        surveyed: Survey,
        divided: Sequence[tuple[CodeFile, ...]],
        changed: Collection[Path],
        progress: Progress,
    ) -> dict[tuple[CodeFile, ...], HeldShare]:
        if self._surveyed is None:
            return {}
        return EditedShares(self._surveyed, self._shares, self._open, progress).after(surveyed, divided, changed)

    def is_open(self, path: Path) -> bool:
        """Whether the share of a file, by its resolved path, is open for edits."""
        owner = next((share for share in self._shares if any(file.real_path == path for file in share)), None)
        return owner is not None and self._open.find(owner) is not None

    def report_after_edit(
        self, path: Path, others: Collection[Path], texts: Mapping[Path, str], progress: Progress
    ) -> FileReport | None:
        """The report of a file, by its resolved path, after an edit in a function that concerns nothing else.

        None where it may concern more: then ``reports`` has to be asked. ``others`` are the files that were edited so.
        """
        return None if self._edits is None else self._edits.report(path, others, texts, progress)

    def _survey(self, files: Sequence[Path], changed: Collection[Path], folders: Sequence[Path]) -> Survey:
        """What the last survey said, with the new texts in it, where these say the same of what the files import."""
        known = self._surveyed
        if known is None or tuple(files) != self._files:
            return survey(files, folders)
        by_real_path = {file.real_path: index for index, file in enumerate(known.files)}
        made = list(known.files)
        for path in changed:
            index = by_real_path.get(path)
            new = None if index is None else with_new_text(made[index])
            if index is None or new is None:
                return survey(files, folders)
            made[index] = new
        return replace(known, files=tuple(made))


def _killed(left_out: Sequence[CodeFile]) -> tuple[ShareResult, ...]:
    return (ShareResult(killed=tuple(file.path for file in left_out)),) if left_out else ()


def _edits_others(report: FileReport) -> bool:
    return any(edit.path for finding in report.findings if finding.fix for edit in finding.fix.edits)


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
        return analyse_share(files, progress, roots, options, records=records)
