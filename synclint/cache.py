"""Keeps the results of runs, and gives them back while nothing has changed on which they depend.

What is found in a file depends on other files: those that it imports, and those that call it. So an entry
stands for one run over one list of files. It says which paths the run looked at, with a hash of what was
in each or that there was nothing, and holds only while all of them are still so.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from synclint import __version__
from synclint.atomic_files import replace_bytes
from synclint.config import Options
from synclint.findings_json import report_of, report_values
from synclint.phases import Phases
from synclint.rules import rules_folder
from synclint.runner import FileReport, Progress, check_files

LIMIT_BYTES = 64 * 2**20
# A file that a killed run has left unfinished is of no use to anybody after this time.
_UNFINISHED_SECONDS = 3600.0
_ENTRY = re.compile(r"[0-9a-f]{64}\.json")
_UNFINISHED = re.compile(r"\.[0-9a-f]{64}\.json-.*\.tmp")
_ABSENT, _DIRECTORY, _OTHER = "absent", "directory", "other"
_PROGRAM_SUFFIXES = (".py", ".toml", ".json")
# Each says its release in one of these files.
_PARSERS = ("libcst", "docutils", "markdown_it")
_RELEASE_FILES = ("__init__.py", "_version.py")


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
    jobs: int,
    progress: Progress,
    folder: Path,
    phases: Phases,
    limit: int = LIMIT_BYTES,
) -> tuple[FileReport, ...]:
    """Do what ``check_files`` does, or take what came of it from ``folder`` when it would be the same.

    Results with a problem are never kept. ``limit`` is the size in bytes that all entries together may
    have; the oldest go first. A directory that cannot be read or written is done without.
    """
    entry = folder / f"{_key(files, roots, options)}.json"
    kept = _read(entry)
    if kept is not None:
        progress(len(files))
        return kept
    started = time.time_ns()
    checked = check_files(files, roots, options, jobs, progress, phases)
    if not any(report.problem for report in checked.reports):
        consulted = checked.consulted.union(files)
        states = _states({*consulted, *_surroundings(roots, consulted)}, started)
        if states is not None:
            _write(entry, states, checked.reports, limit)
    return checked.reports


def fingerprint(folders: Iterable[Path]) -> str:
    """A hash of the program's files in ``folders``: code, catalogue and rules."""
    digest = hashlib.sha256()
    for folder in folders:
        for name in sorted(_program_files(str(folder))):
            data = Path(name).read_bytes()
            digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            digest.update(data)
    return digest.hexdigest()


def _program_files(folder: str) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (f"{parent}{os.sep}{name}" for name in names if name.endswith(_PROGRAM_SUFFIXES))


@cache
def _program() -> str:
    """What does the checking: this program, Python, and the parsers, none of which is imported for it."""
    return json.dumps([__version__, fingerprint((Path(__file__).parent, rules_folder())), sys.version, *_releases()])


def _releases() -> Iterator[str]:
    for name in _PARSERS:
        found = find_spec(name)
        if found is not None and found.origin is not None:
            for release in _RELEASE_FILES:
                yield _state(Path(found.origin).with_name(release))[0]


def _key(files: Sequence[Path], roots: Sequence[Path], options: Options) -> str:
    default = Options()
    # These say where results go and how they are made; what they are does not depend on them.
    relevant = replace(options, output_format=default.output_format, baseline=None, jobs=default.jobs, cache_dir=None)
    named = [[str(path), str(_real(path))] for path in (*files, *roots)]
    parts = [_program(), repr(relevant), str(Path.cwd()), len(files), named]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve raises at links in a circle


def _surroundings(roots: Iterable[Path], files: Iterable[Path]) -> Iterator[Path]:
    """The paths that decide which folders modules are looked up in."""
    yield from (folder / "src" for root in roots for folder in (_real(root), _real(root).parent))
    starts = {_real(root) for root in roots} | {_real(path).parent for path in files}
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
        changed = max(found.st_mtime_ns, found.st_ctime_ns) if os.name == "nt" else found.st_ctime_ns
        return hashlib.sha256(path.read_bytes()).hexdigest(), changed
    except (OSError, ValueError):
        return _ABSENT, 0


def _states(paths: Iterable[Path], started: int) -> dict[str, str] | None:
    """What is at each path; None when any of it has changed since ``started``, as the run may not have seen it."""
    states: dict[str, str] = {}
    for path in {path.absolute() for path in paths}:
        state, changed = _state(path)
        if state == _ABSENT:
            path = _first_absent(path)
            changed = _state(path.parent)[1]
        if changed >= started and state != _DIRECTORY:
            return None
        states[str(path)] = state
    return states


def _first_absent(path: Path) -> Path:
    """The folder that would have to be made first for ``path`` to be there, or ``path`` itself."""
    while not path.parent.exists() and path.parent != path:
        path = path.parent
    return path


def _read(entry: Path) -> tuple[FileReport, ...] | None:
    """The reports of an entry that holds, else None."""
    try:
        checksum, _, body = entry.read_bytes().partition(b"\n")
        if checksum != hashlib.sha256(body).hexdigest().encode():
            return None
        values = json.loads(body)
        if not all(_state(Path(path))[0] == state for path, state in values["states"].items()):
            return None
        reports = tuple(report_of(item) for item in values["reports"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    with contextlib.suppress(OSError):
        os.utime(entry)  # the oldest entry shall be the one that has not been used for longest
    return reports


def _write(entry: Path, states: Mapping[str, str], reports: Iterable[FileReport], limit: int) -> None:
    body = json.dumps({"states": states, "reports": [report_values(report) for report in reports]}).encode()
    data = hashlib.sha256(body).hexdigest().encode() + b"\n" + body
    if len(data) > limit:
        return
    with contextlib.suppress(OSError):
        if not entry.parent.is_dir():
            entry.parent.mkdir(parents=True)
            # A cache inside of a project is nobody's source.
            (entry.parent / ".gitignore").write_text("*\n", encoding="utf-8")
        _make_room(entry.parent, limit - len(data))
        replace_bytes(entry, data)


def _make_room(folder: Path, limit: int) -> None:
    """Remove the oldest entries until those that stay take no more than ``limit`` bytes."""
    now = time.time()
    used = 0
    for path, found in sorted(_own_files(folder), key=lambda item: item[1].st_mtime, reverse=True):
        if _UNFINISHED.fullmatch(path.name):
            outlived = now - found.st_mtime > _UNFINISHED_SECONDS
        else:
            used += found.st_size
            outlived = used > limit
        if outlived:
            with contextlib.suppress(OSError):
                path.unlink()


def _own_files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The files of the cache; whatever else lies in its folder is somebody else's."""
    with os.scandir(folder) as found:
        for item in found:
            if _ENTRY.fullmatch(item.name) or _UNFINISHED.fullmatch(item.name):
                with contextlib.suppress(OSError):
                    yield Path(item.path), item.stat(follow_symlinks=False)
