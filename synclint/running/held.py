"""Files that are checked again and again while some of their texts change: what rests on no changed text is kept.

A share of the files is learned anew when a file has changed that is one of its own, or at which it has looked. All else
is put together as in any other run, so that the results are those of one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.context import BaseContext
from pathlib import Path

from synclint.analysis.program.reach import text_of
from synclint.analysis.results.observations import Observations
from synclint.config.options import Options
from synclint.results.expression_facts import FileFacts, facts_by_place
from synclint.results.file_reports import FileReport
from synclint.rules.own import ANALYSIS_LIMIT
from synclint.running.edited_file import KnownInShare, LinesSince, events_after, known_in_share, lines_since, move_of
from synclint.running.file_findings import is_matched
from synclint.running.held_reports import HeldReports
from synclint.running.here import usable_cores
from synclint.running.open_shares import OpenShares, Paths, edited_in, paths_of, with_moved_lines
from synclint.running.processes import work_in_processes
from synclint.running.progress import Progress
from synclint.running.recorded import Records, records_for
from synclint.running.reporting import Reporting, reporting_on
from synclint.running.same_code import says_the_same
from synclint.running.share_analysis import AnalysedShare, ShareResult, analyse_share, analysed_share
from synclint.running.shares import shares_of
from synclint.running.survey import CodeFile, Survey, folders_of, survey
from synclint.sources.code_ends import changed_comments, code_ends
from synclint.sources.decoding import UnreadableSourceError, read_source, unsaved_texts
from synclint.sources.embedded import EmbeddedSourceError
from synclint.sources.extraction import extract

# So many characters are analysed before a process has been started anew.
_LITTLE = 300_000


@dataclass(frozen=True)
class _HeldShare:
    """What was learned of a share, and the paths on which that rests."""

    files: tuple[CodeFile, ...]
    learned: tuple[ShareResult, ...]
    consulted: frozenset[str]
    entered: frozenset[str]


@dataclass
class _EditedFile:
    """A file that is edited: its text, its share, and what shares have shown, when the project was last put together.

    ``lines`` are those of the text that it had at the last edit. It ``is_unclear`` once an edit has reached others.
    """

    file: CodeFile
    owner: tuple[CodeFile, ...]
    shown: Mapping[Paths, KnownInShare]
    lines: LinesSince
    is_unclear: bool = False


class HeldFiles:
    """Files that follow the same settings; ``learned`` counts the shares that have been learned since the beginning."""

    def __init__(
        self, roots: Sequence[Path], options: Options, jobs: int | None = None, context: BaseContext | None = None
    ) -> None:
        self.learned = 0
        self._roots = roots
        self._options = options
        self._jobs = jobs
        self._context = context
        self._surveyed: Survey | None = None
        self._files: tuple[Path, ...] = ()
        self._shares: dict[tuple[CodeFile, ...], _HeldShare] = {}
        self._reports: tuple[FileReport, ...] = ()
        self._reporting: Reporting | None = None
        self._code_ends: dict[Path, Mapping[int, int]] = {}
        self._recorded: frozenset[Path] = frozenset()
        self._kept_reports = HeldReports()
        self._open = OpenShares(self._analysed)
        self._progress: Progress = lambda count: None
        self._edited_files: dict[Path, _EditedFile] = {}

    def record(self, paths: frozenset[Path]) -> None:
        """Let what the expressions of these files stand for, by resolved paths, be known from the next reports on.

        A share that was learned without one of them is learned again.
        """
        added = paths - self._recorded
        self._recorded = paths
        shares = {
            share: known for share, known in self._shares.items() if not any(file.real_path in added for file in share)
        }
        if len(shares) < len(self._shares):
            self._shares, self._reports, self._reporting = shares, (), None
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
            edited = self._edited(surveyed, divided, changed, progress)
            held = {share: edited.get(share) or self._shares.get(share) for share in divided}
            missing = [
                share
                for share, known in held.items()
                if known is None or (share not in edited and known.consulted & names)
            ]
            kept = {share: known for share, known in held.items() if known is not None and share not in missing}
            kept |= self._learn(missing, folders, texts, progress)
            parts = [learned for share in divided for learned in kept[share].learned]
            is_whole = all(root.is_dir() for root in self._roots)
            reporting = replace(
                reporting_on(surveyed, parts, self._options, is_whole=is_whole), kept=self._kept_reports
            )
            reports = tuple(map(reporting.report, files))
        self._code_ends.clear()
        self._edited_files.clear()
        self._reporting = reporting
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
            new = None if old is None or old.embedded is not None else _with_new_text(old)
            if old is None or new is None:
                return False
            ends = self._code_ends.get(path)
            if ends is None:
                ends = self._code_ends[path] = code_ends(old.source)
            said = changed_comments(old.source, new.source, ends)
            if said is None or not says_the_same(old.source, new.source):
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
        self._edited_files.clear()
        again = {file.path for file in made.values()}
        self._reports = tuple(
            self._reporting.report(report.path) if report.path in again or _edits_others(report) else report
            for report in self._reports
        )
        return True

    def _learn(
        self,
        missing: Sequence[tuple[CodeFile, ...]],
        folders: Sequence[Path],
        texts: Mapping[Path, str],
        progress: Progress,
    ) -> dict[tuple[CodeFile, ...], _HeldShare]:
        records = records_for(with_evidence=True, paths=self._recorded)
        work = partial(_learn_with, texts=texts, roots=folders, options=self._options, records=records)
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
        self.learned += len(missing)
        return {share: _held_share(share, learned) for share, learned in zip(missing, made, strict=True)}

    def _analysed(self, share: Sequence[CodeFile]) -> AnalysedShare:
        """A share that can be edited, with the texts that its files have here."""
        self.learned += 1
        records = records_for(with_evidence=True, paths=self._recorded)
        files = self._surveyed.files if self._surveyed is not None else share
        with unsaved_texts({file.real_path: file.source for file in files if file.embedded is None}):
            return analysed_share(share, self._progress, folders_of(self._roots), self._options, records=records)

    def _edited(
        self,
        surveyed: Survey,
        divided: Sequence[tuple[CodeFile, ...]],
        changed: Collection[Path],
        progress: Progress,
    ) -> dict[tuple[CodeFile, ...], _HeldShare]:
        """The shares to which changed files brought other bodies of functions, or nothing but other lines."""
        if self._surveyed is None or not changed:
            return {}
        before = {file.real_path: file for file in self._surveyed.files}
        after = {file.real_path: file for file in surveyed.files}
        now = {paths_of(share): share for share in divided}
        if now.keys() != {paths_of(share) for share in self._shares}:
            return {}
        self._progress = progress
        found: dict[Paths, _HeldShare] = {}
        lost: set[Paths] = set()
        for path in sorted(changed):
            old, new = before.get(path), after.get(path)
            concerned = {
                paths_of(share): found.get(paths_of(share), held)
                for share, held in self._shares.items()
                if str(path) in held.consulted
            }
            edits = {}
            if old is not None and new is not None and old.has_torch_in_reach:
                edits = self._put_into(old, new, concerned, may_open=len(changed) == 1)
            found.update(edits)
            lost |= concerned.keys() - edits.keys()
        for key in lost:
            self._open.close(now[key])
        results: dict[tuple[CodeFile, ...], _HeldShare] = {}
        for key in found.keys() - lost:
            known = self._open.find(now[key])
            learned = found[key].learned if known is None else (known.result(),)
            results[now[key]] = _held_share(now[key], learned)
        return results

    def _put_into(
        self, old: CodeFile, new: CodeFile, concerned: Mapping[Paths, _HeldShare], *, may_open: bool
    ) -> dict[Paths, _HeldShare]:
        """What is known of the shares that looked at a file when it has another text, as far as that can be told."""
        owner = next((held for held in concerned.values() if old in held.files), None)
        edited = edited_in(old, new)
        if owner is None or edited is None:
            return {}
        opened = self._open.opened(owner.files) if may_open else self._open.find(owner.files)
        if opened is None or opened.edit(new) is None:
            return {}
        found = {paths_of(owner.files): owner}
        for key, held in concerned.items():
            if held is owner:
                continue
            other = self._open.find(held.files)
            if other is None and not opened.edited.isdisjoint(held.entered) and may_open:
                other = self._open.opened(held.files)
            if other is not None:
                if other.edit(new) is not None:
                    found[key] = held
            elif opened.edited.isdisjoint(held.entered):
                found[key] = replace(held, learned=with_moved_lines(held.learned, new, edited.lines))
        return found

    def report_after_edit(
        self, path: Path, others: Collection[Path], texts: Mapping[Path, str], progress: Progress
    ) -> FileReport | None:
        """The report of a file, by its resolved path, after an edit in a function that concerns nothing else.

        None where it may concern more: then ``reports`` has to be asked. Until that is done, and after any number of
        such edits, the reports of other files are on the lines of before; ``others`` are those that were edited so.
        """
        known, reporting = self._edited_file(path), self._reporting
        if known is None or reporting is None or known.is_unclear or not self._were_edited(others, texts):
            return None
        with unsaved_texts(texts):
            new = _with_new_text(known.file)
        if new is None or not says_the_same(known.file.source, new.source) or is_matched(new):
            return None
        lines, *changed = known.lines.edited(new.source)
        if reporting.graph.words.could_change(*changed):
            return None
        seen: dict[Paths, Observations] | None = {}
        if new.source != known.file.source or lines.edits > 1:
            if self._open.find(known.owner) is None:
                edited = edited_in(known.file, new)
                if edited is None or not edited.functions:
                    return None  # with comments alone, which need no analysis at all, reports are soon made
            self._progress = progress
            seen = self._seen_after_edit(known, new)
            known.lines = lines
        if seen is None:
            known.is_unclear = True
            return None
        moves = [move_of(one.file, one.lines) for one in self._edited_files.values() if one.lines.edits]
        elsewhere = [shown for share, shown in known.shown.items() if share not in seen]
        now = [(known.shown[share], observed) for share, observed in seen.items()]
        found = events_after(new, moves, now, elsewhere, reporting.graph)
        return None if found is None else reporting.report_instead(new, *found)

    def _were_edited(self, paths: Collection[Path], texts: Mapping[Path, str]) -> bool:
        """Whether all that is different in files by now are edits that concerned nothing else."""
        known = {path: self._edited_files.get(path) for path in paths}
        return all(
            one is not None and not one.is_unclear and one.lines.source == texts.get(path)
            for path, one in known.items()
        )

    def _seen_after_edit(self, known: _EditedFile, new: CodeFile) -> dict[Paths, Observations] | None:
        """What is seen in an edited file in the shares that are concerned; None where an edit reaches others."""
        owner = self._open.opened(known.owner)
        concerned = [known.owner]
        edit = owner.edit(new)
        for share, held in self._shares.items():
            is_concerned = self._open.find(share) is not None or not owner.edited.isdisjoint(held.entered)
            if share is not known.owner and str(new.real_path) in held.consulted and is_concerned:
                concerned.append(share)
        seen: dict[Paths, Observations] = {}
        for share in concerned:
            opened = owner if share is known.owner else self._open.opened(share)
            edit = edit if opened is owner else opened.edit(new)
            if edit is None:
                self._open.close(share)
                return None
            if not edit.is_alone:
                return None
            seen[paths_of(share)] = opened.seen_in(new, known.shown[paths_of(share)].methods)
        return seen

    def _edited_file(self, path: Path) -> _EditedFile | None:
        if path not in self._edited_files and self._surveyed is not None:
            file = next((file for file in self._surveyed.files if file.real_path == path), None)
            owner = next((share for share in self._shares if file in share), None)
            if file is None or owner is None or self._reporting is None or file.path in self._reporting.shortfalls:
                return None
            if any(len(held.learned) != 1 for held in self._shares.values()):
                return None
            shown = {
                paths_of(share): known_in_share(file, held.learned[0].observations)
                for share, held in self._shares.items()
            }
            self._edited_files[path] = _EditedFile(file, owner, shown, lines_since(file.source))
        return self._edited_files.get(path)

    def _survey(self, files: Sequence[Path], changed: Collection[Path], folders: Sequence[Path]) -> Survey:
        """What the last survey said, with the new texts in it, where these say the same of what the files import."""
        known = self._surveyed
        if known is None or tuple(files) != self._files:
            return survey(files, folders)
        by_real_path = {file.real_path: index for index, file in enumerate(known.files)}
        made = list(known.files)
        for path in changed:
            index = by_real_path.get(path)
            new = None if index is None else _with_new_text(made[index])
            if index is None or new is None:
                return survey(files, folders)
            made[index] = new
        return replace(known, files=tuple(made))


def _killed(left_out: Sequence[CodeFile]) -> tuple[ShareResult, ...]:
    return (ShareResult(killed=tuple(file.path for file in left_out)),) if left_out else ()


def _held_share(share: tuple[CodeFile, ...], learned: tuple[ShareResult, ...]) -> _HeldShare:
    consulted = frozenset[str]().union(*(part.consulted for part in learned))
    return _HeldShare(share, learned, consulted, frozenset[str]().union(*(part.entered for part in learned)))


def _with_new_text(file: CodeFile) -> CodeFile | None:
    """A file with the text that it has now; None where only a survey can tell what that means for other files."""
    try:
        text = read_source(file.path)
        embedded = extract(file.path, text)
    except (UnreadableSourceError, EmbeddedSourceError):
        return None
    source = text if embedded is None else embedded.module
    if text_of(source, "") != text_of(file.source, ""):
        return None
    return replace(file, source=source, embedded=embedded)


def _edits_others(report: FileReport) -> bool:
    return any(edit.path for finding in report.findings if finding.fix for edit in finding.fix.edits)


def _learn_with(
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
