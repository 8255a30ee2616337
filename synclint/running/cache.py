"""Keeps the results of runs, and gives them back while nothing has changed on which they depend.

What is found in a file depends on other files: those that it imports, and those that call it. So an entry
stands for one run over one list of files. It says which paths the run looked at, with a hash of what was
in each or that there was nothing, and holds only while all of them are still so.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.config import Options
from synclint.files.real_paths import RealPaths
from synclint.memo.entry_files import LIMIT_BYTES, Entries, key_of
from synclint.memo.folders import secret_of_user
from synclint.memo.path_states import PathStates, surroundings
from synclint.memo.program import this_program
from synclint.phases import Phases
from synclint.results.file_reports import FileReport
from synclint.running.finished_runs import FinishedRun, finished_run, written_run
from synclint.running.known_projects import KnownProjects
from synclint.running.user_libraries import installed_in

if TYPE_CHECKING:
    from synclint.running.progress import Progress
    from synclint.running.runner import Checked, Memo

# The folder of what is known of parts of projects, within that of the cache.
_PROJECTS = "projects"
# What is known of some millions of lines.
_PROJECTS_BYTES = 256 * 2**20


def check_files_cached(
    files: Sequence[Path],
    roots: Sequence[Path],
    options: Options,
    jobs: int | None,
    progress: Progress,
    phases: Phases,
    folder: Path,
    limit: int = LIMIT_BYTES,
    wanted: frozenset[Path] | None = None,
) -> Iterator[FileReport]:
    """Do what ``check_files`` does, or take what came of it from ``folder`` when it would be the same.

    Reports are kept when the last of them has been made. Results with a problem, or with an error of ours, are never
    kept. ``limit`` is the size in bytes that all entries together may have; the oldest go first. A directory that
    cannot be read or written is done without, and so is any where this user cannot keep a secret.

    With ``wanted`` only these of the files are reported: somebody waits for a few of a project. Raises
    TooMuchHasChangedError where he would have to wait as long as for all of it.
    """
    secret = secret_of_user()
    if secret is None:
        from synclint.running.runner import check_files

        return check_files(files, roots, options, jobs, progress, phases).reports
    real_paths = RealPaths()
    entries, key = Entries(folder, secret, limit), _key(files, roots, options, real_paths)
    started = time.time_ns()
    finished = _read(entries, key, wanted)
    if finished is not None and not finished.changed():
        _note(folder, secret, roots, wanted)
        progress(len(files))
        return iter([report for report, _ in finished.reports])
    # Imported here because what is found in the cache needs none of the analysis.
    from synclint.running.runner import check_files

    memo = _memo(folder, secret, roots, options, started) if any(root.is_dir() for root in roots) else None
    if finished is not None and memo is not None:
        from synclint.running.edited_runs import Base, reports_after

        found = reports_after(Base(finished, {real_paths.spelled(str(path)): path for path in files}, memo, options))
        if found is not None:
            _note(folder, secret, roots, wanted)
            progress(len(files))
            return iter(found)
    checked = check_files(files, roots, options, jobs, progress, phases, memo=memo, wanted=wanted)
    states = PathStates()
    if wanted is not None:
        return _writing_memo(checked, memo, states)
    consulted = {*checked.consulted, *map(str, files)}
    rests_on = frozenset({*consulted, *surroundings(roots, consulted, real_paths)})
    entry = _Entry(entries, key, rests_on, checked, memo, started, states)
    if memo is None:
        return _keeping(checked.reports, entry)
    projects = KnownProjects(_projects(folder, secret))
    return _noting(_keeping(_writing_memo(checked, memo, states), entry), projects, roots)


def known_project(folder: Path, files: Iterable[Path]) -> tuple[Path, ...] | None:
    """What was named in the latest run, from here, over a project with all of these files (resolved)."""
    secret = secret_of_user()
    return None if secret is None else KnownProjects(_projects(folder, secret)).around(files)


def _projects(folder: Path, secret: bytes) -> Entries:
    """What is known of projects as wholes."""
    return Entries(folder / _PROJECTS, secret, _PROJECTS_BYTES)


def _note(folder: Path, secret: bytes, roots: Sequence[Path], wanted: frozenset[Path] | None) -> None:
    """Remember the project of a run that an earlier one answers: that may be lost, or no longer the latest."""
    if wanted is None and any(root.is_dir() for root in roots):
        KnownProjects(_projects(folder, secret)).note(roots)


def _noting(made: Iterator[FileReport], projects: KnownProjects, roots: Sequence[Path]) -> Iterator[FileReport]:
    yield from made
    projects.note(roots)


def _writing_memo(checked: Checked, memo: Memo | None, states: PathStates) -> Iterator[FileReport]:
    yield from checked.reports
    if memo is not None:
        memo.write(checked.files, states)


def memo_of(folder: Path, roots: Sequence[Path], options: Options) -> Memo | None:
    """What earlier runs over the same roots have left, whichever files they found there."""
    secret = secret_of_user()
    return None if secret is None else _memo(folder, secret, roots, options, time.time_ns())


def _memo(folder: Path, secret: bytes, roots: Sequence[Path], options: Options, started: int) -> Memo:
    from synclint.running.code_memo import CodeMemo
    from synclint.running.context_memo import ContextMemo
    from synclint.running.recorded import records_for
    from synclint.running.report_memo import ReportMemo
    from synclint.running.runner import Memo
    from synclint.running.share_memo import ShareMemo
    from synclint.running.survey import folders_of
    from synclint.running.text_memo import TextMemo

    entries = _projects(folder, secret)
    key = _key((), roots, options, RealPaths())
    code = CodeMemo(entries, key_of("code", key))
    shares = ShareMemo(entries, code, folders_of(roots), options, records_for(), started)
    reports = ReportMemo(entries, key_of("reports", key))
    contexts, texts = ContextMemo(entries, key_of("contexts", key)), TextMemo(entries, key_of("said", key))
    return Memo(shares, reports, contexts, texts)


@dataclass(frozen=True)
class _Entry:
    """Where reports are kept, and on which paths and premises they rest if nothing has changed since ``started``.

    ``states`` tell what is at paths after the run.
    """

    entries: Entries
    key: str
    paths: frozenset[str]
    checked: Checked
    memo: Memo | None
    started: int
    states: PathStates


def _keeping(made: Iterator[FileReport], entry: _Entry) -> Iterator[FileReport]:
    told: list[FileReport] = []
    for report in made:
        told.append(report)
        yield report
    if any(report.problem or report.has_failed for report in told):
        return
    # All has been told: for want of memory, or of the directory it took place in, the run only keeps nothing.
    with contextlib.suppress(OSError, MemoryError):
        states = entry.states.since(entry.paths, entry.started)
        reports = None if entry.memo is None else entry.memo.reports
        if states is not None:
            bases = {} if reports is None else reports.bases
            looked_at = frozenset({*entry.checked.looked_at, *(() if reports is None else reports.looked_at)})
            contexts = (
                ""
                if entry.memo is None
                else entry.memo.contexts.write(entry.checked.contexts_by_file(), entry.checked.reach)
            )
            shares = {} if entry.memo is None else entry.memo.shares.learned_from
            values = written_run(told, states, entry.checked.premises, bases, looked_at, contexts, shares)
            entry.entries.write({entry.key: values})


def _key(files: Sequence[Path], roots: Sequence[Path], options: Options, real_paths: RealPaths) -> str:
    default = Options()
    # These say where results go and how they are made; what they are does not depend on them.
    relevant = replace(
        options,
        output_format=default.output_format,
        sort=None,
        baseline=None,
        fail_on=None,
        project=default.project,
        jobs=default.jobs,
        cache_dir=None,
    )
    named = [[name, real_paths.spelled(name)] for name in map(str, (*files, *roots))]
    installed = installed_in(options)
    return key_of(this_program(), repr(relevant), installed, str(Path.cwd()), len(files), named)


def _read(entries: Entries, key: str, wanted: frozenset[Path] | None) -> FinishedRun | None:
    """What a run found, of the files that are wanted; None where nothing is known of it, or too much has changed."""
    body = entries.read_bytes(key)
    run = None if body is None else finished_run(body, wanted)
    if run is not None:
        entries.note_use(key)
    return run
