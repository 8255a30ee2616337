"""A project that stays open: its settings, the texts of open buffers, and what has been concluded about the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from multiprocessing.context import BaseContext
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from synclint.api.checking import without_known
from synclint.api.errors import FilesNotCheckedError, SettingsError
from synclint.api.records import Finding, findings_of
from synclint.api.settings import PathLike, configuration_errors, configurations_with
from synclint.config.configurations import Configurations
from synclint.config.options import Options
from synclint.files.real_paths import real_path
from synclint.plugins.discovery import PluginError
from synclint.results.expression_facts import FileFacts
from synclint.results.file_reports import FileReport
from synclint.results.ranked_files import RankedFiles
from synclint.results.ranking import ranked
from synclint.running.discovery import discover
from synclint.running.progress import Progress
from synclint.running.project_session import ProjectSession
from synclint.running.runner import check_text
from synclint.sources.decoding import UnreadableSourceError, read_source, unsaved_texts

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from synclint.api.settings import Settings

# How a session is asked for reports: of all files, and of one.
Ask: TypeAlias = Callable[[ProjectSession, Sequence[Path], Mapping[Path, str], Progress], Sequence[FileReport]]
AskForOne: TypeAlias = Callable[[ProjectSession, Path, Mapping[Path, str]], "FileReport | None"]


class Project:
    """All files below ``root``, checked together, and again after changes, with the findings of ``check_paths(root)``.

    ``change`` replaces the text of a file with that of an open buffer; changes on disk are noticed after ``refresh``.
    What does not depend on a changed text is kept in memory. A project may be used by several threads; calls that ask
    for findings wait for one another. Projects do not affect one another.

    ``processes`` determines how the processes that share the work of a large project are started: a program that uses
    threads passes ``multiprocessing.get_context("spawn")``. Other arguments are those of ``check_paths``. Raises
    SettingsError.
    """

    def __init__(
        self,
        root: PathLike = ".",
        *,
        config: PathLike | None = None,
        isolated: bool = False,
        processes: BaseContext | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        self.root = Path(root)
        self._folder = Path.cwd()
        self._config, self._isolated, self._processes = config, isolated, processes
        self._settings = dict(settings)
        # One to check at a time, which may take a while, and one to touch what is known at a time, which takes none.
        self._checking, self._lock = Lock(), Lock()
        self._texts: dict[Path, str] = {}
        self._changed: set[Path] = set()
        self._recorded: frozenset[Path] = frozenset()
        self._configured = self._configurations()
        self._run_options()
        self._sessions: dict[Options, ProjectSession] = {}
        self._files: dict[Path, Path] | None = None
        self._problems: tuple[str, ...] = ()
        self._made: list[FileReport] = []
        self._edited: dict[Path, FileReport] = {}
        self._beside: RankedFiles | None = None
        self._reports: dict[Path, FileReport] | None = None

    def change(self, file: PathLike, text: str) -> None:
        """Use this text for a file, which need not exist, until it is closed."""
        path = self._real(file)
        with self._lock:
            if self._texts.get(path) != text:
                # Whoever is checking meanwhile goes on with the texts that it began with.
                self._texts = {**self._texts, path: text}
                self._changed.add(path)

    def close(self, file: PathLike) -> None:
        """Use the text on disk for this file again."""
        path = self._real(file)
        with self._lock:
            self._recorded -= {path}
            if path in self._texts:
                self._texts = {open_: text for open_, text in self._texts.items() if open_ != path}
                self._changed.add(path)

    def refresh(self, files: Iterable[PathLike] | None = None) -> None:
        """Look at these files on disk again, including new and deleted ones; without arguments, look at everything."""
        named = None if files is None else {self._real(file) for file in files}
        with self._checking, self._lock:
            self._files = self._reports = None
            if named is None:
                self._configured = self._configurations()
                self._sessions = {}
            else:
                self._changed |= named

    def findings(self, file: PathLike | None = None, progress: Callable[[int], None] | None = None) -> list[Finding]:
        """The findings in a file, or in all files in the order of their paths: exactly those of a full run.

        ``progress`` is called with the number of files processed since its last call; an exception that it raises ends
        the run and leaves the project as it was. Raises SettingsError, and FilesNotCheckedError for files that cannot
        be read.
        """
        with self._checking:
            wanted, problems = self._wanted(file, progress or _nobody)
        findings = findings_of(wanted, self._folder)
        problems += [report.problem for report in wanted if report.problem]
        if problems:
            raise FilesNotCheckedError(problems, findings)
        return findings

    def findings_at_once(self, file: PathLike) -> list[Finding] | None:
        """What ``findings`` returns for a file, where that is known without any long work.

        None where it is not, or where another thread is checking. Raises the same errors as ``findings``.
        """
        if not self._checking.acquire(blocking=False):
            return None
        try:
            report = self._known_report(file)
        finally:
            self._checking.release()
        if report is None:
            return None
        findings = findings_of([report], self._folder)
        if report.problem:
            raise FilesNotCheckedError([report.problem], findings)
        return findings

    def likely_findings(self, file: PathLike) -> list[Finding] | None:
        """The findings in a file, with the callers that were known before the last edits, where these are soon found.

        None where nothing is known of the project yet, the last edits are not edits within functions, or another thread
        is checking.
        """
        path = self._real(file)
        if not self._checking.acquire(blocking=False):
            return None
        try:
            report = self._after_edits(path, ProjectSession.likely_report)
            ranked_report = None if report is None else self._ranked_beside(path, report)
        finally:
            self._checking.release()
        return None if ranked_report is None else findings_of([ranked_report], self._folder)

    def facts(self, file: PathLike, progress: Callable[[int], None] | None = None) -> FileFacts | None:
        """What is concluded about each expression of a file, with all of its callers known.

        None for a file that does not belong to the project, or cannot be parsed. After any change, the shares that have
        read a changed file are analysed for it. Raises SettingsError.
        """
        path = self._real(file)
        with self._checking:
            with self._lock:
                self._recorded |= {path}
            self._put_together(progress or _nobody, ProjectSession.reports_of_run)
            known = (session.facts(path) for session in self._sessions.values())
            return next((facts for facts in known if facts is not None), None)

    def preview(self, file: PathLike, text: str | None = None) -> list[Finding]:
        """The findings in a file on its own, without its callers: fast, but sometimes wrong.

        For an editor that wants to show something until ``findings`` returns. After edits within functions, the callers
        are those that were known before. With a ``text`` the file is looked at as if it had this one. Raises the same
        errors as ``findings``.
        """
        if text is None and (found := self.likely_findings(file)) is not None:
            return found
        path = self._real(file)
        texts = self._texts if text is None else {**self._texts, path: text}
        with configuration_errors():
            options = self._configured.of_file(path)
        with unsaved_texts(texts):
            text = texts.get(path)
            if text is None:
                try:
                    text = read_source(path)
                except UnreadableSourceError as error:
                    raise FilesNotCheckedError([f"{file}: {error}"]) from None
            try:
                report = check_text(text, self._named(path), (self.root,), options, with_evidence=True)
            except PluginError as error:
                raise SettingsError(str(error)) from None
        if report.problem:
            raise FilesNotCheckedError([report.problem])
        return findings_of(ranked((report,)), self._folder)

    @property
    def shares_analysed(self) -> int:
        """How many shares of the project have been analysed since it was opened: work to be counted, not timed."""
        return sum(session.analyses for session in self._sessions.values())

    def _wanted(self, file: PathLike | None, progress: Callable[[int], None]) -> tuple[list[FileReport], list[str]]:
        """The reports of a file, or of all files, and what kept files from being looked at at all."""
        if file is None:
            return list(self._checked(progress).values()), list(self._problems)
        report = self._known_report(file)
        if report is None:
            report = self._checked(progress).get(self._real(file))
        return ([] if report is None else [report]), []

    def _known_report(self, file: PathLike) -> FileReport | None:
        """The report of a file where it is known, or follows from edits without a run."""
        path = self._real(file)
        if self._reports is not None and not self._changed:
            return self._reports.get(path)
        report = self._after_edits(path, ProjectSession.report_after_edits)
        return None if report is None else self._ranked_beside(path, report)

    def _checked(self, progress: Callable[[int], None]) -> dict[Path, FileReport]:
        """The reports of all files by their resolved paths."""
        if self._reports is not None and not self._changed:
            return self._reports
        return self._put_together(progress, ProjectSession.reports)

    def _put_together(self, progress: Callable[[int], None], ask: Ask) -> dict[Path, FileReport]:
        """The same, as the sessions of the files are asked for them."""
        with self._lock:
            texts, changed, self._changed = self._texts, frozenset(self._changed), set()
        try:
            self._reports = self._made_reports(texts, changed, progress, ask)
        except BaseException:
            with self._lock:
                self._changed |= changed  # the next run has to be told of them again
            raise
        return self._reports

    def _after_edits(self, path: Path, ask: AskForOne) -> FileReport | None:
        """A session is asked for the report of a file, where all files follow the same settings.

        What has changed is pending still: what is known of other files may be on other lines.
        """
        if self._reports is None or self._files is None or path not in self._files or len(self._sessions) > 1:
            return None
        with self._lock:
            texts, changed = self._texts, frozenset(self._changed)
        if any(self._is_new_or_gone(one, texts, self._files) for one in changed):
            return None
        with configuration_errors():
            session = self._sessions.get(self._configured.of_file(path))
        if session is None:
            return None
        session.tell(texts, changed)
        return ask(session, self._files[path], texts)

    def _ranked_beside(self, path: Path, report: FileReport) -> FileReport | None:
        """The report of an edited file, ranked beside those of all others."""
        self._edited[report.path] = report
        run = self._run_options()
        if run.baseline is not None:
            made = [self._edited.get(other.path, other) for other in self._made]
            return self._ranked(made, run).get(path)  # what a baseline knows of one file may have been in another one
        if self._beside is None:
            self._beside = RankedFiles(self._edited.get(other.path, other) for other in self._made)
        self._beside.replace(report)
        return self._beside.ranked(report.path)

    def _made_reports(
        self, texts: Mapping[Path, str], changed: frozenset[Path], progress: Callable[[int], None], ask: Ask
    ) -> dict[Path, FileReport]:
        run = self._run_options()
        with configuration_errors():
            if self._files is None or any(self._is_new_or_gone(path, texts, self._files) for path in changed):
                self._files, self._problems = self._discovered(texts)
            alike: dict[Options, list[Path]] = {}
            for real, path in self._files.items():
                alike.setdefault(self._configured.of_file(real), []).append(path)
        self._sessions = {options: self._sessions.get(options) or self._new_session(options, run) for options in alike}
        recorded = self._recorded
        for session in self._sessions.values():
            session.tell(texts, changed)
            session.record(recorded)
        try:
            made = [
                report
                for options, files in alike.items()
                for report in ask(self._sessions[options], files, texts, progress)
            ]
        except PluginError as error:
            raise SettingsError(str(error)) from None
        self._edited, self._beside = {}, None
        self._made = sorted(made, key=lambda report: report.path)
        return self._ranked(self._made, run)

    def _ranked(self, made: Sequence[FileReport], run: Options) -> dict[Path, FileReport]:
        """Reports by resolved paths, without what is known, and with the priorities that they have side by side."""
        real = {path: real for real, path in (self._files or {}).items()}  # to ask the system again takes a while
        return {
            real.get(report.path) or self._real(report.path): report
            for report in ranked(without_known(made, run, self._configured))
        }

    @staticmethod
    def _is_new_or_gone(path: Path, texts: Mapping[Path, str], files: Mapping[Path, Path]) -> bool:
        return path not in files or (path not in texts and not path.exists())

    def _new_session(self, options: Options, run: Options) -> ProjectSession:
        return ProjectSession((self.root,), options, run.jobs, self._processes)

    def _discovered(self, texts: Iterable[Path]) -> tuple[dict[Path, Path], tuple[str, ...]]:
        """The files below the root by their resolved paths, under their usual names, and texts without a file."""
        found = discover([self.root], lambda below: self._configured.of(below).options.files)
        files = {real: path for path, real in found.files.items()}
        root = self._real(self.root)
        for path in texts:
            if path not in files and not path.exists() and path.is_relative_to(root) and self._wants(path, root):
                files[path] = self._named(path)
        return dict(sorted(files.items(), key=lambda item: item[1])), found.problems

    def _wants(self, path: Path, root: Path) -> bool:
        selection = self._configured.of(path.parent).options.files
        folders = [parent for parent in path.parents if parent != root and parent.is_relative_to(root)]
        excluded = selection.excludes(path, directory=False) or any(
            selection.excludes(folder, directory=True) for folder in folders
        )
        return selection.includes(path) and not excluded

    def _named(self, path: Path) -> Path:
        """The name that a run from the root would use for a resolved path."""
        root = self._real(self.root)
        return self.root / path.relative_to(root) if path.is_relative_to(root) else path

    def _real(self, file: PathLike) -> Path:
        return real_path(self._folder / file)

    def _configurations(self) -> Configurations:
        return configurations_with(self._settings, self._config, self._isolated, self._folder)

    def _run_options(self) -> Options:
        """The settings of the run as a whole. Raises SettingsError."""
        with configuration_errors():
            return self._configured.of(self._folder).options


def _nobody(count: int) -> None:
    """Report the progress of a run to nobody."""
