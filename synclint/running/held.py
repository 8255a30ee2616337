"""Files that are checked again and again while some of their texts change: what rests on no changed text is kept.

A share of the files is analysed anew when a file has changed that is one of its own, or at which it has looked, unless
the edit can be put into its analysis. All else is put together as in any other run: the results are those of one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from multiprocessing.context import BaseContext
from pathlib import Path

from synclint.config.options import Options
from synclint.contracts.marks import may_hold_contracts
from synclint.files.listings import listing_of
from synclint.results.expression_facts import FileFacts, facts_by_place
from synclint.results.file_reports import FileReport
from synclint.rules.own import ANALYSIS_LIMIT
from synclint.running.contracts import asks_for_contracts
from synclint.running.edited_files import EditedFiles
from synclint.running.edited_shares import EditedShares
from synclint.running.held_reports import HeldReports
from synclint.running.held_shares import HeldShare, held_share, with_new_text
from synclint.running.here import usable_cores
from synclint.running.open_shares import OpenShare, OpenShares, paths_of
from synclint.running.processes import work_in_processes
from synclint.running.progress import Progress
from synclint.running.recorded import Records, records_for
from synclint.running.reporting import Reporting, reporting_on
from synclint.running.same_code import same_code_elsewhere
from synclint.running.share_analysis import AnalysedShare, analyse_editable_share, analyse_share
from synclint.running.share_results import ShareResult
from synclint.running.shares import shares_of
from synclint.running.survey import CodeFile, SurveyedFiles, folders_of, survey
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
        self._surveyed: SurveyedFiles | None = None
        self._files: tuple[Path, ...] = ()
        self._shares: dict[tuple[CodeFile, ...], HeldShare] = {}
        self._reports: tuple[FileReport, ...] = ()
        self._reporting: Reporting | None = None
        self._recorded: frozenset[Path] = frozenset()
        self._prepared: frozenset[Path] = frozenset()
        self._contracts = False
        self._kept_reports = HeldReports()
        self._open = OpenShares(self._analysed_before)
        self._edits: EditedFiles | None = None

    def record(self, paths: frozenset[Path]) -> None:
        """Let what the expressions of these files stand for, by resolved paths, be known from the next reports on.

        A share that was analysed without one of them is analysed again.
        """
        added = paths - self._recorded
        self._recorded = paths
        without = [share for share in self._shares if any(file.real_path in added for file in share)]
        for share in without:
            del self._shares[share]
        self._open.close_those_with(added)
        if without:
            self._reports, self._reporting, self._edits = (), None, None

    def prepare(self, paths: frozenset[Path]) -> None:
        """Let the shares of these files, by resolved paths, be open for edits once they are analysed again."""
        self._prepared = paths

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
            self._know_contracts(asks_for_contracts(surveyed.files, self._options))
            names = {str(path) for path in changed} | self._listings(surveyed)
            divided = shares_of(surveyed)
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
        # What contracts say of one file rests on others: no edit is told of by itself.
        self._edits = None if self._contracts else EditedFiles(surveyed, kept, reporting, self._open)
        self._reporting = reporting
        self._surveyed, self._files, self._shares, self._reports = surveyed, tuple(files), kept, reports
        return reports

    def _know_contracts(self, asks: bool) -> None:
        """Forget what was analysed where contracts were, or were not, asked for."""
        if asks != self._contracts:
            for share in self._shares:
                self._open.close(share)
            self._shares, self._contracts = {}, asks

    def _is_same_code(self, changed: Collection[Path]) -> bool:
        """Whether all files are the code that they were, with other comments; then their reports are made anew.

        What a comment says matters to the reports of its own file, and wherever the words of all files are counted.
        """
        surveyed, reporting = self._surveyed, self._reporting
        if surveyed is None or reporting is None or self._contracts:
            return False
        by_real_path = {file.real_path: file for file in surveyed.files}
        made: dict[CodeFile, CodeFile] = {}
        for path in changed:
            old = by_real_path.get(path)
            new = None if old is None or old.embedded is not None else with_new_text(old)
            if old is None or new is None or may_hold_contracts(new.kept.utf8):
                return False
            code = same_code_elsewhere(old.source, new.source)
            if code is None or not code.is_in_place:
                return False
            made[old] = new
        files = tuple(made.get(file, file) for file in surveyed.files)
        shares_now = [tuple(made.get(file, file) for file in share) for share in self._shares]
        if set(shares_of(replace(surveyed, files=files))) != set(shares_now):
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
        prepared = [share for share in missing if any(file.real_path in self._prepared for file in share)]
        found: dict[tuple[CodeFile, ...], HeldShare] = {}

        def open_prepared() -> None:
            for share in prepared:
                opened = self._open.keep(share, OpenShare(self._analysed(share, progress)))
                found[share] = held_share(share, (opened.result(),))

        others = [share for share in missing if share not in prepared]
        for share in others:  # one may have been opened by a run that was ended
            self._open.close(share)
        records = records_for(with_evidence=True, paths=self._recorded, contracts=self._contracts)
        work = partial(_analyse_with, texts=texts, roots=folders, options=self._options, records=records)
        processes = min(len(others), self._jobs or usable_cores())
        is_little = sum(len(file.source) for share in others for file in share) < _LITTLE
        if processes < 1 or (processes == 1 and not prepared and (self._context is None or is_little)):
            made: list[tuple[ShareResult, ...]] = [(work(share, progress),) for share in others]
            open_prepared()
        else:
            _ = self._options.catalog  # made once, before there are processes that would each do so
            done_elsewhere = work_in_processes(others, work, processes, progress, open_prepared, self._context)
            made = [(*done.results, *_killed(done.left_out)) for done in done_elsewhere]
        self.analyses += len(others)
        return found | {share: held_share(share, results) for share, results in zip(others, made, strict=True)}

    def _analysed(self, share: Sequence[CodeFile], progress: Progress) -> AnalysedShare:
        """A share that can be edited, with the texts that files have here."""
        self.analyses += 1
        records = records_for(with_evidence=True, paths=self._recorded, contracts=self._contracts)
        return analyse_editable_share(share, progress, folders_of(self._roots), self._options, records=records)

    def _analysed_before(self, share: Sequence[CodeFile], progress: Progress) -> AnalysedShare:
        """The same, with the texts that files had when all was last put together."""
        files = self._surveyed.files if self._surveyed is not None else share
        with unsaved_texts({file.real_path: file.source for file in files if file.embedded is None}):
            return self._analysed(share, progress)

    def open_prepared(self, path: Path, progress: Progress, touching: AbstractContextManager[object]) -> None:
        """Open the share of a file, by its resolved path, if it is not open yet.

        What is held is only touched within ``touching``: others may ask for reports while the share is analysed.
        """
        with touching:
            share = self._share_of(path)
            if share is None or self._open.find(share) is not None or self._surveyed is None:
                return
            before = {file.real_path: file for file in self._surveyed.files}
        analysed = self._analysed_before(share, progress)
        with touching:
            now = {paths_of(one): one for one in self._shares}.get(paths_of(share))
            if now is None or self._surveyed is None or self._open.find(now) is not None:
                return
            opened = OpenShare(analysed)
            for file in self._surveyed.files:
                known = before.get(file.real_path)
                if (
                    known is not None
                    and known.source != file.source
                    and str(file.real_path) in analysed.result.consulted
                ):
                    if opened.edit(file) is None:
                        return
            self._open.keep(now, opened)

    def _listings(self, surveyed: SurveyedFiles) -> set[str]:
        """The listings of the folders in which there are other files than before."""
        before = {file.real_path for file in self._surveyed.files} if self._surveyed is not None else set()
        return {listing_of(path.parent) for path in before ^ {file.real_path for file in surveyed.files}}

    def _edited_shares(
        self,
        surveyed: SurveyedFiles,
        divided: Sequence[tuple[CodeFile, ...]],
        changed: Collection[Path],
        progress: Progress,
    ) -> dict[tuple[CodeFile, ...], HeldShare]:
        if self._surveyed is None:
            return {}
        return EditedShares(self._surveyed, self._shares, self._open, progress).after(surveyed, divided, changed)

    def is_open(self, path: Path) -> bool:
        """Whether the share of a file, by its resolved path, is open for edits."""
        share = self._share_of(path)
        return share is not None and self._open.find(share) is not None

    def knows(self, path: Path) -> bool:
        """Whether a file, by its resolved path, is one of these, and could be read."""
        return self._share_of(path) is not None

    def _share_of(self, path: Path) -> tuple[CodeFile, ...] | None:
        return next((share for share in self._shares if any(file.real_path == path for file in share)), None)

    def report_after_edit(
        self, path: Path, others: Collection[Path], texts: Mapping[Path, str], progress: Progress | None
    ) -> FileReport | None:
        """The report of a file, by its resolved path, after an edit in a function that concerns nothing else.

        None where it may concern more: then ``reports`` has to be asked. ``others`` are the files that were edited so.
        Without ``progress`` no share is opened for it.
        """
        return None if self._edits is None else self._edits.report(path, others, texts, progress)

    def likely_report(self, path: Path, texts: Mapping[Path, str]) -> FileReport | None:
        """The report of a file, by its resolved path, as if its edits concerned nothing else.

        None where none is soon made: its share has to be open.
        """
        return None if self._edits is None else self._edits.likely_report(path, texts)

    def _survey(self, files: Sequence[Path], changed: Collection[Path], folders: Sequence[Path]) -> SurveyedFiles:
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
