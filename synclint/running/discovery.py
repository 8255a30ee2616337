"""Which files a run checks: the named ones, and those with Python in them below the named directories."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.config.globs import PatternError, compiled, spec_of
from synclint.config.options import Options
from synclint.config.patterns import FileSelection
from synclint.files.bounded_files import read_at_most

if TYPE_CHECKING:
    from pathspec.gitignore import GitIgnoreSpec

_MOST_BYTES = 2**20
# Each is tried on every path. More of them are a list of files that somebody has generated.
_MOST_PATTERNS = 10_000
_MOST_WARNINGS = 5
_LONGEST_SHOWN = 60

SelectionOf = Callable[[Path], FileSelection]


def _default_selection(folder: Path) -> FileSelection:
    return Options().files


@dataclass(frozen=True)
class Discovery:
    """The files to check, sorted, each once, and the real path behind each.

    ``problems`` are paths that could not be read, one sentence each; ``warnings`` are directories in
    which there is nothing to check, and what was passed over of the files that say what to ignore.
    """

    files: Mapping[Path, Path]
    problems: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class _IgnoreFile:
    """The patterns of one ``.gitignore``, which hold for what lies below ``folder`` (a resolved path)."""

    folder: Path
    spec: GitIgnoreSpec


@dataclass
class _Walk:
    """What has been found so far: paths as the user will see them, by the real path behind each."""

    selection_of: SelectionOf
    files: dict[Path, Path] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    ignored: dict[Path, _IgnoreFile | None] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def add(self, path: Path, real: Path) -> None:
        """Keep a file, under the lesser of its names where it has several."""
        self.files[real] = min(path, self.files.get(real, path))

    def directory(self, top: Path) -> bool:
        """Collect the files to check below ``top``; False when there is none."""
        real = top.resolve()
        pending = [(top, real, self.ignore_files_above(real))]
        found = False
        while pending:
            folder, real, inherited = pending.pop()
            selection = self.selection_of(real)
            ignores = (*inherited, *self.ignore_file(real, real / ".gitignore"))
            obeyed = ignores if selection.respect_gitignore else ()
            try:
                entries = list(os.scandir(folder))
            except OSError as error:
                self.problems.append(f"{folder}: {_reason(error)}")
                continue
            for entry in entries:
                path, inner = folder / entry.name, real / entry.name
                # Links to directories are not followed, as git does not: no loops, and nothing from outside.
                if entry.is_dir(follow_symlinks=False):
                    if not selection.excludes(inner, directory=True) and not _is_ignored(inner, "/", obeyed):
                        pending.append((path, inner, ignores))
                elif _is_wanted(entry, inner, selection) and not _is_ignored(inner, "", obeyed):
                    found = True
                    self.add(path, inner.resolve() if entry.is_symlink() else inner)
        return found

    def ignore_files_above(self, folder: Path) -> tuple[_IgnoreFile, ...]:
        """The ignore files of the repository that ``folder`` lies in, from the top down to its parent.

        None of them count when they exclude ``folder`` itself: naming it asks for what is in it.
        """
        above: list[Path] = []
        for candidate in (folder, *folder.parents):
            if candidate != folder:
                above.insert(0, candidate)
            if (candidate / ".git").exists():
                found = list(self.ignore_file(candidate, candidate / ".git" / "info" / "exclude"))
                for parent in above:
                    found += self.ignore_file(parent, parent / ".gitignore")
                return () if _is_ignored(folder, "/", found) else tuple(found)
        return ()

    def ignore_file(self, folder: Path, path: Path) -> Iterator[_IgnoreFile]:
        """The patterns of an ignore file for what lies below ``folder``; none where there is no such file."""
        if path not in self.ignored:
            self.ignored[path] = _read_ignore_file(folder, path, self.warnings)
        found = self.ignored[path]
        if found is not None:
            yield found


def discover(paths: Sequence[Path], selection_of: SelectionOf = _default_selection) -> Discovery:
    """Find the files that ``paths`` stand for; ``selection_of`` says of each directory what counts in it.

    A file that is named is taken whatever it is called and whatever excludes it, unless exclusions are
    forced. Below a directory files are taken that are included and not excluded, except where a
    ``.gitignore`` says otherwise, be it there, further down or further up in the same repository.
    """
    walk = _Walk(selection_of)
    for path in dict.fromkeys(paths):
        try:
            is_directory = stat.S_ISDIR(path.stat().st_mode)
        except (OSError, ValueError) as error:
            walk.problems.append(f"{path}: {_reason(error)}")
            continue
        if not is_directory:
            real = path.resolve()
            if not selection_of(real.parent).excludes_named(real):
                walk.add(path, real)
        elif not walk.directory(path) and not walk.problems:
            walk.warnings.append(f"{path}: no Python files found below this directory")
    files = dict(sorted((path, real) for real, path in walk.files.items()))
    return Discovery(files, tuple(sorted(walk.problems)), tuple(walk.warnings))


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or directory"
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def _is_wanted(entry: os.DirEntry[str], path: Path, selection: FileSelection) -> bool:
    if not selection.includes(path) or selection.excludes(path, directory=False):
        return False
    try:
        return entry.is_file()
    except OSError:  # a link that leads in a circle
        return False


def _read_ignore_file(folder: Path, path: Path, warnings: list[str]) -> _IgnoreFile | None:
    try:
        if not path.is_file():  # a pipe would never end
            return None
        text = read_at_most(path, _MOST_BYTES, "a file of patterns").decode("utf-8", "surrogateescape")
    except OSError as error:
        if error.errno == errno.EFBIG:
            warnings.append(f"{path}: not applied: {_reason(error)}")
        return None
    return _IgnoreFile(folder, _spec(path, text, warnings))


def _spec(path: Path, text: str, warnings: list[str]) -> GitIgnoreSpec:
    readable: list[str] = []
    unreadable: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if len(readable) >= _MOST_PATTERNS:
            warnings.append(f"{path}:{number}: ignored from here on: it has more than {_MOST_PATTERNS} patterns")
            break
        bare = line.strip()
        if bare and not bare.startswith("#"):
            try:
                compiled(line)
            except PatternError:  # git passes over a pattern that it cannot read, and keeps the others
                unreadable.append((number, bare))
            else:
                readable.append(line)
    for number, bare in unreadable[:_MOST_WARNINGS]:
        shown = bare if len(bare) <= _LONGEST_SHOWN else f"{bare[:_LONGEST_SHOWN]}…"
        warnings.append(f"{path}:{number}: ignored: {shown!r} is not a pattern")
    if len(unreadable) > _MOST_WARNINGS:
        warnings.append(f"{path}: ignored: {len(unreadable) - _MOST_WARNINGS} more lines that are not patterns")
    return spec_of(readable)


def _is_ignored(path: Path, slash: str, ignores: Sequence[_IgnoreFile]) -> bool:
    """Whether the nearest ignore file that speaks of ``path`` excludes it (``slash`` marks a directory)."""
    for ignore in reversed(ignores):
        if path == ignore.folder:  # patterns speak of what lies below their folder
            continue
        verdict = ignore.spec.check_file(path.relative_to(ignore.folder).as_posix() + slash).include
        if verdict is not None:
            return verdict
    return False
