"""Keeps the results of runs, and gives them back while nothing has changed on which they depend.

What is found in a file depends on other files: those that it imports, and those that call it. So an entry
stands for one run over one list of files. It says which paths the run looked at, with a hash of what was
in each or that there was nothing, and holds only while all of them are still so.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.config import Options
from synclint.files.real_paths import real_path
from synclint.memory.entry_files import LIMIT_BYTES, Entries, key_of
from synclint.memory.program import this_program
from synclint.memory.user_secret import user_secret
from synclint.phases import Phases
from synclint.results.file_reports import FileReport
from synclint.results.findings_json import report_of, report_values

if TYPE_CHECKING:
    from synclint.running.progress import Progress

_ABSENT, _DIRECTORY, _OTHER, _LARGE = "absent", "directory", "other", "large"
# No run depends on all of a file that is larger than this.
_LARGEST_BYTES = 64 * 2**20


def default_folder() -> Path | None:
    """Where results are kept unless ``cache-dir`` says otherwise; None for a user without a home."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "synclint"


def check_files_cached(
    files: Sequence[Path],
    roots: Sequence[Path],
    options: Options,
    jobs: int | None,
    progress: Progress,
    phases: Phases,
    folder: Path,
    limit: int = LIMIT_BYTES,
) -> Iterator[FileReport]:
    """Do what ``check_files`` does, or take what came of it from ``folder`` when it would be the same.

    Reports are kept when the last of them has been made. Results with a problem, or with an error of ours, are never
    kept. ``limit`` is the size in bytes that all entries together may have; the oldest go first. A directory that
    cannot be read or written is done without, and so is any where this user cannot keep a secret.
    """
    own = default_folder()
    secret = user_secret(own) if own is not None else None
    if secret is None:
        from synclint.running.runner import check_files

        return check_files(files, roots, options, jobs, progress, phases).reports
    entries, key = Entries(folder, secret), _key(files, roots, options)
    kept = _read(entries, key)
    if kept is not None:
        progress(len(files))
        return iter(kept)
    # Imported here because what is found in the cache needs none of the analysis.
    from synclint.memory.outline_files import OutlineFiles
    from synclint.running.runner import check_files

    started = time.time_ns()
    checked = check_files(files, roots, options, jobs, progress, phases, OutlineFiles(entries, this_program()))
    consulted = {*map(Path, checked.consulted), *files}
    entry = _Entry(entries, key, frozenset({*consulted, *_surroundings(roots, consulted)}), started, limit)
    return _keeping(checked.reports, entry)


@dataclass(frozen=True)
class _Entry:
    """Where reports are kept, and the paths on which they depend if none has changed since ``started``."""

    entries: Entries
    key: str
    paths: frozenset[Path]
    started: int
    limit: int


def _keeping(made: Iterator[FileReport], entry: _Entry) -> Iterator[FileReport]:
    reports: list[FileReport] = []
    for report in made:
        reports.append(report)
        yield report
    if any(report.problem or report.has_failed for report in reports):
        return
    # All has been told: for want of memory, or of the directory it took place in, the run only keeps nothing.
    with contextlib.suppress(OSError, MemoryError):
        states = _states(entry.paths, entry.started)
        if states is not None:
            values = {"states": states, "reports": [report_values(report) for report in reports]}
            entry.entries.write({entry.key: values}, entry.limit)


def _key(files: Sequence[Path], roots: Sequence[Path], options: Options) -> str:
    default = Options()
    # These say where results go and how they are made; what they are does not depend on them.
    relevant = replace(
        options,
        output_format=default.output_format,
        sort=None,
        baseline=None,
        fail_on=None,
        jobs=default.jobs,
        cache_dir=None,
    )
    named = [[str(path), str(real_path(path))] for path in (*files, *roots)]
    return key_of(this_program(), repr(relevant), str(Path.cwd()), len(files), named)


def _surroundings(roots: Iterable[Path], files: Iterable[Path]) -> Iterator[Path]:
    """The paths that decide which folders modules are looked up in."""
    yield from (folder / "src" for root in roots for folder in (real_path(root), real_path(root).parent))
    starts = {real_path(root) for root in roots} | {real_path(path).parent for path in files}
    seen: set[Path] = set()
    for start in starts:
        for folder in (start, *start.parents):
            if folder in seen:
                break
            seen.add(folder)
            yield folder / "__init__.py"
            if folder != start and not (folder / "__init__.py").is_file():
                break


def _state(path: Path) -> tuple[str, int]:
    """What is at a path, as a word or a hash, and when it was last changed in nanoseconds."""
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            return _DIRECTORY, found.st_ctime_ns
        if not stat.S_ISREG(found.st_mode):
            return _OTHER, found.st_ctime_ns
        if found.st_size > _LARGEST_BYTES:
            return _LARGE, found.st_ctime_ns
        changed = max(found.st_mtime_ns, found.st_ctime_ns) if os.name == "nt" else found.st_ctime_ns
        return hashlib.sha256(path.read_bytes()).hexdigest(), changed
    except (OSError, ValueError):
        return _ABSENT, 0


def _states(paths: Iterable[Path], started: int) -> dict[str, str] | None:
    """What is at each path; None when any of it has changed since ``started``, as the run may not have seen it.

    None, too, where something is so large that it would take too long to say.
    """
    states: dict[str, str] = {}
    for path in {path.absolute() for path in paths}:
        state, changed = _state(path)
        if state == _ABSENT:
            path = _first_absent(path)
            changed = _state(path.parent)[1]
        if state == _LARGE or (changed >= started and state != _DIRECTORY):
            return None
        states[str(path)] = state
    return states


def _first_absent(path: Path) -> Path:
    """The folder that would have to be made first for ``path`` to be there, or ``path`` itself."""
    while not path.parent.exists() and path.parent != path:
        path = path.parent
    return path


def _read(entries: Entries, key: str) -> tuple[FileReport, ...] | None:
    """The reports of an entry that holds, else None."""
    values = entries.read(key)
    if values is None:
        return None
    try:
        if not all(_state(Path(path))[0] == state for path, state in values["states"].items()):
            return None
        reports = tuple(report_of(item) for item in values["reports"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    entries.note_use(key)
    return reports
