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
from synclint.config.options import Options
from synclint.results.file_reports import FileReport
from synclint.running.learning import Learned, Records, learn_files
from synclint.running.processes import work_in_processes
from synclint.running.progress import Progress
from synclint.running.runner import folders_of, records_for, reported, shares, usable_cores
from synclint.running.survey import CodeFile, Survey, survey
from synclint.sources.decoding import UnreadableSourceError, read_source, unsaved_texts
from synclint.sources.embedded import EmbeddedSourceError
from synclint.sources.extraction import extract


@dataclass(frozen=True)
class _HeldShare:
    """What was learned of a share, and the paths on which that rests."""

    files: tuple[CodeFile, ...]
    learned: tuple[Learned, ...]
    consulted: frozenset[str]


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
            surveyed = self._survey(files, changed, folders)
            names = {str(path) for path in changed}
            divided = shares(surveyed.files)
            held = {share: self._shares.get(share) for share in divided}
            missing = [share for share, known in held.items() if known is None or known.consulted & names]
            kept = {share: known for share, known in held.items() if known is not None and share not in missing}
            kept |= self._learn(missing, folders, texts, progress)
            parts = [learned for share in divided for learned in kept[share].learned]
            is_whole = all(root.is_dir() for root in self._roots)
            reports = tuple(reported(files, surveyed, parts, self._options, is_whole=is_whole))
        self._surveyed, self._files, self._shares, self._reports = surveyed, tuple(files), kept, reports
        return reports

    def _learn(
        self,
        missing: Sequence[tuple[CodeFile, ...]],
        folders: Sequence[Path],
        texts: Mapping[Path, str],
        progress: Progress,
    ) -> dict[tuple[CodeFile, ...], _HeldShare]:
        records = records_for(with_evidence=True)
        work = partial(_learn_with, texts=texts, roots=folders, options=self._options, records=records)
        processes = min(len(missing), self._jobs or usable_cores())
        if self._context is None and processes <= 1:
            made: list[tuple[Learned, ...]] = [(work(share, progress),) for share in missing]
        else:
            _ = self._options.catalog  # made once, before there are processes that would each do so
            made = [
                (*done.results, Learned(killed=tuple(file.path for file in done.left_out)))
                for done in work_in_processes(missing, work, processes, progress, context=self._context)
            ]
        self.learned += len(missing)
        return {
            share: _HeldShare(share, learned, frozenset().union(*(part.consulted for part in learned)))
            for share, learned in zip(missing, made, strict=True)
        }

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


def _learn_with(
    files: Sequence[CodeFile],
    progress: Progress,
    texts: Mapping[Path, str],
    roots: Sequence[Path],
    options: Options,
    records: Records | None,
) -> Learned:
    """Learn a share in a process that need not know of texts which stand in the place of those on disk."""
    with unsaved_texts(texts):
        return learn_files(files, progress, roots, options, records=records)
