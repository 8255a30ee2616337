"""Which files a run checks: the named ones, and the Python files below the named directories."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec.gitignore import GitIgnoreSpec

# What ruff leaves out by default, so that a project needs no second list; and the interpreter's cache.
EXCLUDED_DIRECTORIES = frozenset(
    {
        ".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox",
        ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode",
        "__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages",
        "venv",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Discovery:
    """The files to check, sorted, each once.

    ``problems`` are paths that could not be read, one sentence each; ``warnings`` are directories in
    which there is nothing to check.
    """

    files: tuple[Path, ...]
    problems: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class _IgnoreFile:
    """The patterns of one ``.gitignore``, which hold for what lies below ``folder`` (an absolute path)."""

    folder: str
    spec: GitIgnoreSpec


@dataclass
class _Walk:
    """What has been found so far: paths as the user will see them, by the real path behind each."""

    files: dict[str, Path] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, path: Path, real: str) -> None:
        """Keep a file unless it is known by another name; the lesser name wins, so that order is no matter."""
        known = self.files.get(real)
        if known is None or _order(path) < _order(known):
            self.files[real] = path

    def directory(self, top: Path) -> bool:
        """Collect the Python files below ``top``; False when there is none."""
        absolute = os.path.abspath(top)
        pending = [(top, absolute, os.path.realpath(top), _ignore_files_above(absolute))]
        found = False
        while pending:
            folder, absolute, real, inherited = pending.pop()
            ignores = (*inherited, *_ignore_file(absolute, os.path.join(absolute, ".gitignore")))
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                self.problems.append(f"{folder}: {_reason(error)}")
                continue
            for entry in entries:
                inner = f"{absolute}/{entry.name}"
                # Links to directories are not followed, as git does not: no loops, and nothing from outside.
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in EXCLUDED_DIRECTORIES and not _is_ignored(f"{inner}/", ignores):
                        pending.append((folder / entry.name, inner, f"{real}/{entry.name}", ignores))
                elif entry.name.endswith(".py") and _is_file(entry) and not _is_ignored(inner, ignores):
                    found = True
                    linked = entry.is_symlink()
                    self.add(folder / entry.name, os.path.realpath(inner) if linked else f"{real}/{entry.name}")
        return found


def discover(paths: Sequence[Path]) -> Discovery:
    """Find the files that ``paths`` stand for.

    A file that is named is taken whatever it is called and whatever ``.gitignore`` says. Below a
    directory the ``.py`` files are taken, except in directories that ruff leaves out too and where a
    ``.gitignore`` says otherwise, be it there, further down or further up in the same repository.
    """
    walk = _Walk()
    warnings: list[str] = []
    for path in dict.fromkeys(paths):
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError) as error:
            walk.problems.append(f"{path}: {_reason(error)}")
            continue
        if not stat.S_ISDIR(mode):
            walk.add(path, os.path.realpath(path))
        elif not walk.directory(path) and not walk.problems:
            warnings.append(f"{path}: no Python files found below this directory")
    return Discovery(tuple(sorted(walk.files.values(), key=_order)), tuple(walk.problems), tuple(warnings))


def _order(path: Path) -> tuple[str, ...]:
    return path.parts


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or directory"
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads in a circle
        return False


def _ignore_files_above(folder: str) -> tuple[_IgnoreFile, ...]:
    """The ignore files of the repository that ``folder`` lies in, from the top down to its parent.

    None of them count when they exclude ``folder`` itself: naming it asks for what is in it.
    """
    parents: list[str] = []
    current = folder
    while not os.path.exists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            return ()
        parents.insert(0, parent)
        current = parent
    found = list(_ignore_file(current, os.path.join(current, ".git", "info", "exclude")))
    for parent in parents:
        found += _ignore_file(parent, os.path.join(parent, ".gitignore"))
    return () if _is_ignored(f"{folder}/", found) else tuple(found)


def _ignore_file(folder: str, path: str) -> Iterator[_IgnoreFile]:
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return
    from pathspec.gitignore import GitIgnoreSpec

    try:
        spec = GitIgnoreSpec.from_lines(lines)
    except ValueError:  # git passes over a pattern that it cannot read, and keeps the others
        spec = GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))
    yield _IgnoreFile(folder, spec)


def _is_pattern(line: str) -> bool:
    from pathspec.gitignore import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _is_ignored(path: str, ignores: Sequence[_IgnoreFile]) -> bool:
    """Whether the nearest ignore file that speaks of ``path`` excludes it (directories end in a slash)."""
    for ignore in reversed(ignores):
        if not path.startswith(f"{ignore.folder.rstrip('/')}/"):
            continue
        verdict = ignore.spec.check_file(path[len(ignore.folder.rstrip("/")) + 1 :]).include
        if verdict is not None:
            return verdict
    return False
