"""Runs the analysis over many files, in this process or in several, in a stable order."""

from __future__ import annotations

import gc
import hashlib
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from synclint.catalog.entries import load_catalog
from synclint.config import Options
from synclint.embedded import Embedded, EmbeddedSourceError, extract
from synclint.findings import Confidence, Context, Finding, Position, Span
from synclint.processes import Progress, work_in_processes
from synclint.rules import SYNTAX_ERROR, all_rules, findings, load_rules, select_rules
from synclint.selection import reported_codes
from synclint.sources import UnreadableSourceError, read_source
from synclint.suppressions import review
from synclint.syntax import python_syntax_error

if TYPE_CHECKING:
    from synclint.analysis.events import SyncEvent

# Below this many files, starting processes costs more than they save.
WORTH_PROCESSES = 30
_DEEPEST_RECURSION = 5000

Result = TypeVar("Result")


@dataclass(frozen=True)
class FileReport:
    """What came of one file: findings, or the ``problem`` that kept it from being checked.

    ``source`` is there only where findings are, because they are shown with their lines. For a notebook
    or a document it is the module made of its code, which ``findings`` count in, and ``embedded`` leads
    back to the file. ``consulted`` are the paths on which the results depend; the last report of each
    process says it for all that the process has checked.
    """

    path: Path
    findings: tuple[Finding, ...] = ()
    source: str = ""
    problem: str | None = None
    embedded: Embedded | None = None
    consulted: frozenset[Path] = field(default=frozenset(), compare=False, repr=False)


class Checker:
    """Checks files that may call one another.

    What a function is given, and how often it runs, is known only from the files that call it. So every
    file is learned first, and only then asked for its findings.
    """

    def __init__(self, roots: Sequence[Path], options: Options) -> None:
        # Imported here so that commands which check nothing do not pay for the engine.
        from synclint.analysis.project import Project

        # The analysis calls itself for what code nests: long chains of calls, elif, and, or.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST_RECURSION))
        self._options = options
        named = {
            "hot_functions": options.hot_functions,
            "cold_functions": options.cold_functions,
            "device_functions": options.device_functions,
        }
        given: dict[str, Any] = {name: patterns for name, patterns in named.items() if patterns}
        # Two folders may hold modules of one name: which is meant must not hang on the order of arguments.
        folders = sorted({root for root in roots if root.exists() or not root.is_symlink()})
        self._project = Project(folders, options.torch_version, dict(options.library_versions), **given)
        self._reports_syntax = SYNTAX_ERROR in select_rules((), options.ignore, all_rules())
        self._sources: dict[Path, str] = {}
        self._embedded: dict[Path, Embedded] = {}
        self._failed: dict[Path, FileReport] = {}

    def learn(self, path: Path) -> None:
        """Read a file and follow its calls; whatever goes wrong with it is kept for its report."""
        try:
            source = read_source(path)
        except UnreadableSourceError as error:
            self._failed[path] = FileReport(path, problem=f"{path}: {error}")
        else:
            self.learn_source(path, source)

    def learn_source(self, path: Path, source: str) -> None:
        """The same for source that stands, or shall stand, at ``path``."""
        try:
            embedded = extract(path, source)
        except EmbeddedSourceError as error:
            self._failed[path] = FileReport(path, problem=f"{path}: {error}")
            return
        except Exception as error:
            self._failed[path] = _own_failure(path, error)
            return
        if embedded is not None:
            self._embedded[path] = embedded
        self._sources[path] = source if embedded is None else embedded.module
        self._attempt(path, self._project.learn)

    def report(self, path: Path) -> FileReport:
        """The findings of a file that has been learned."""
        if path in self._failed:
            return self._failed[path]
        events = self._attempt(path, self._project.check)
        if events is None:
            return self._failed[path]
        try:
            return self._reviewed(path, events)
        except Exception as error:
            return _own_failure(path, error)

    @property
    def consulted(self) -> frozenset[Path]:
        """The paths on which the reports depend, beside the files that were learned."""
        return self._project.consulted

    def _reviewed(self, path: Path, events: Sequence[SyncEvent]) -> FileReport:
        codes = reported_codes(self._options, path)
        # Whether a comment suppresses anything does not depend on what is asked for.
        everything = findings(events, load_rules(), load_catalog())
        reviewed = review(everything, self._sources[path], path, self._options.require_reason)
        said = sorted((*reviewed.findings, *reviewed.complaints), key=lambda finding: finding.span)
        admitted = tuple(f for f in said if f.code in codes and self._options.admits(f))
        if not admitted:
            return FileReport(path)
        return FileReport(path, admitted, self._sources[path], embedded=self._embedded.get(path))

    def _attempt(self, path: Path, step: Callable[[Path, str], Result]) -> Result | None:
        """Take a step of the analysis; what goes wrong with it is kept for the file's report."""
        from synclint.analysis.project import ParseFailure

        try:
            return step(path, self._sources[path])
        except ParseFailure as error:
            place = Position(error.line, error.column)
            self._failed[path] = self._syntax_report(path, error.message, place)
        except Exception as error:
            self._failed[path] = _own_failure(path, error)
        return None

    def _syntax_report(self, path: Path, message: str, place: Position) -> FileReport:
        # A file that cannot be read cannot be called clean, so `--select` does not silence this rule.
        if not self._reports_syntax:
            return FileReport(path)
        source = self._sources[path]
        # Python's own words are the ones that people know.
        said = python_syntax_error(source) or (message, place)
        finding = _syntax_error(path, *said)
        return FileReport(path, (finding,), source, embedded=self._embedded.get(path))


def _own_failure(path: Path, error: Exception) -> FileReport:
    """What a mistake of our own in one file comes to: the others must not lose their results by it."""
    if isinstance(error, RecursionError):
        return FileReport(path, problem=f"{path}: nested too deeply to be analysed")
    return FileReport(path, problem=f"{path}: {describe_internal_error(error)}")


def _syntax_error(path: Path, message: str, start: Position) -> Finding:
    return Finding(
        code=SYNTAX_ERROR.code,
        name=SYNTAX_ERROR.name,
        message=" ".join(message.split()),
        filename=str(path),
        span=Span(start, Position(start.line, start.column + 1)),
        severity=SYNTAX_ERROR.severity,
        confidence=Confidence.HIGH,
        mechanism=SYNTAX_ERROR.mechanism,
        context=Context(hot=True, reason=""),
    )


def check_files(
    files: Sequence[Path],
    roots: Sequence[Path],
    options: Options,
    jobs: int = 1,
    progress: Progress = lambda count: None,
) -> Iterator[FileReport]:
    """Check files and yield one report for each, in the order given.

    ``roots`` are the files and directories that the user named, from which the project's own modules
    are found. With several ``jobs`` each process takes an unbroken run of the files and sees the calls
    within it and into whatever it imports. ``progress`` is told how many more files have been learned.
    """
    if processes_used(files, jobs) > 1:
        yield from _check_in_processes(files, roots, options, jobs, progress)
    elif files:
        yield from _check_share(files, progress, roots, options)


def _check_share(
    files: Sequence[Path], progress: Progress, roots: Sequence[Path], options: Options
) -> Iterator[FileReport]:
    checker = Checker(roots, options)
    with _without_garbage_collection():
        for path in files:
            checker.learn(path)
            progress(1)
        # One by one, so that it is known of which file a process died.
        yield from map(checker.report, files[:-1])
        yield from (replace(checker.report(path), consulted=checker.consulted) for path in files[-1:])


def processes_used(files: Sequence[Path], jobs: int) -> int:
    """How many processes check the files when ``jobs`` are allowed."""
    return jobs if jobs > 1 and len(files) >= WORTH_PROCESSES else 1


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Trees and values live until the end of the run: looking through them for garbage takes a third of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _check_in_processes(
    files: Sequence[Path], roots: Sequence[Path], options: Options, jobs: int, progress: Progress
) -> Iterator[FileReport]:
    bounds = [len(files) * job // jobs for job in range(jobs + 1)]
    shares = [files[start:end] for start, end in pairwise(bounds)]
    work = partial(_check_share, roots=roots, options=options)
    yield from work_in_processes(shares, work, _died, progress)


def _died(path: Path) -> FileReport:
    return FileReport(path, problem=f"{path}: not checked: it is nested too deeply, or memory ran out")


def describe_internal_error(error: BaseException) -> str:
    """One line about an exception that is our own mistake; the traceback goes to a log file.

    The short id is the same for the same mistake, so that reports of it can be matched.
    """
    trace = traceback.extract_tb(error.__traceback__)
    place = [type(error).__name__, *(f"{Path(frame.filename).name}:{frame.name}" for frame in trace)]
    identity = hashlib.sha256("\n".join(place).encode("utf-8", "replace")).hexdigest()[:8]
    told = f"internal error {identity} ({type(error).__name__}), please report it"
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix=f"synclint-{identity}-",
            suffix=".log",
            encoding="utf-8",
            errors="replace",
            delete=False,
        ) as log:
            log.writelines(traceback.format_exception(error))
    except OSError:
        return told
    return f"{told} with {log.name}"
