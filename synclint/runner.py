"""Runs the analysis over many files, in this process or in several, in a stable order."""

from __future__ import annotations

import hashlib
import os
import signal
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from synclint.catalog.entries import load_catalog
from synclint.config import Options
from synclint.findings import Confidence, Context, Finding, Position, Span
from synclint.rules import SYNTAX_ERROR, all_rules, findings, select_rules
from synclint.sources import UnreadableSourceError, read_source
from synclint.syntax import python_syntax_error

# Below this many files, starting processes costs more than they save.
WORTH_PROCESSES = 30


@dataclass(frozen=True)
class FileReport:
    """What came of one file: findings, or the ``problem`` that kept it from being checked.

    ``source`` is there only where findings are, because they are shown with their lines.
    """

    path: Path
    findings: tuple[Finding, ...] = ()
    source: str = ""
    problem: str | None = None


class Checker:
    """Checks files one by one with what a run needs only once."""

    def __init__(self, roots: Sequence[Path], options: Options) -> None:
        # Imported here so that commands which check nothing do not pay for libcst.
        from synclint.analysis.project import Project

        self._options = options
        self._project = Project(roots, options.torch_version)
        self._rules = select_rules(options.select, options.ignore, all_rules())
        self._reports_syntax = SYNTAX_ERROR in select_rules((), options.ignore, all_rules())

    def file(self, path: Path) -> FileReport:
        """Read and check one file; whatever goes wrong with it is told in the report."""
        try:
            source = read_source(path)
        except UnreadableSourceError as error:
            return FileReport(path, problem=f"{path}: {error}")
        return self.source(path, source)

    def source(self, path: Path, source: str) -> FileReport:
        """Check source that stands, or shall stand, at ``path``."""
        from synclint.analysis.project import ParseFailure

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Python warns of what it parses; it is not ours to pass on
                events = self._project.check(path, source)
            said = findings(events, self._rules, load_catalog())
        except ParseFailure as error:
            # A file that cannot be read cannot be called clean, whatever was selected.
            if not self._reports_syntax:
                return FileReport(path)
            # Python's own words are the ones that people know.
            found = python_syntax_error(source) or (error.message, Position(error.line, error.column))
            return FileReport(path, (_syntax_error(path, *found),), source)
        except Exception as error:  # one file must not cost the others their results
            return FileReport(path, problem=f"{path}: {describe_internal_error(error)}")
        admitted = tuple(finding for finding in said if self._options.admits(finding))
        return FileReport(path, admitted, source if admitted else "")


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
    files: Sequence[Path], roots: Sequence[Path], options: Options, jobs: int | None = None
) -> Iterator[FileReport]:
    """Check files and yield one report for each, in the order given.

    ``roots`` are the files and directories that the user named, from which the project's own modules
    are found. ``jobs`` is the number of processes, by default one for each processor this process may
    use; few files are checked in this process alone.
    """
    jobs = min(jobs or available_processors(), len(files))
    if jobs > 1 and len(files) >= WORTH_PROCESSES:
        yield from _check_in_processes(files, roots, options, jobs)
    elif files:
        checker = Checker(roots, options)
        yield from map(checker.file, files)


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check_in_processes(
    files: Sequence[Path], roots: Sequence[Path], options: Options, jobs: int
) -> Iterator[FileReport]:
    executor = ProcessPoolExecutor(jobs, initializer=_start_worker)
    # Neighbouring files import one another, so a worker that gets a run of them parses less.
    chunk = max(1, min(16, len(files) // (jobs * 4)))
    done = 0
    try:
        check = partial(_check_in_worker, tuple(roots), options)
        for report in executor.map(check, files, chunksize=chunk):
            done += 1
            yield report
    except BrokenProcessPool:
        for path in files[done:]:
            yield FileReport(path, problem=f"{path}: not checked, a worker process died; try `--jobs 1`")
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _start_worker() -> None:
    # The terminal sends Ctrl-C to every process of the run; only the first one shall speak of it.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))


@cache
def _worker_checker(roots: tuple[Path, ...], options: Options) -> Checker:
    return Checker(roots, options)


def _check_in_worker(roots: tuple[Path, ...], options: Options, path: Path) -> FileReport:
    return _worker_checker(roots, options).file(path)


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
