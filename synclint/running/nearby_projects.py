"""The project around files that are named one by one, where no run has checked it as a whole: small ones are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from synclint.running.limits import MOST_ANALYSED_FOR_FEW

# What stands at the top of a project.
_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "synclint.toml")
# What is kept in such folders belongs to nobody's project, or is no code of it.
_ELSEWHERE = frozenset({"node_modules", "site-packages", "__pycache__", "dist-packages"})
_ENVIRONMENT = "pyvenv.cfg"
_MOST_ENTRIES = 20_000


def project_around(files: Iterable[Path]) -> tuple[Path, ...] | None:
    """The folder of the project that has all of some files (resolved); None where that would take long to analyse.

    It is the current directory if that is the top of a project, else the nearest top of one, else the folder of the
    files, outside of all packages. What is named there is named as in a run over it.
    """
    folder = _top(Path(os.path.commonpath([file.parent for file in files])))
    if not _is_small(folder):
        return None
    here = Path.cwd()
    return (folder.relative_to(here) if folder.is_relative_to(here) else folder,)


def _top(folder: Path) -> Path:
    here = Path.cwd()
    if folder.is_relative_to(here) and _is_marked(here):
        return here
    found = next((one for one in (folder, *folder.parents) if _is_marked(one)), None)
    if found is not None:
        return found
    while (folder / "__init__.py").exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _is_marked(folder: Path) -> bool:
    return any((folder / mark).exists() for mark in _MARKS)


def _is_small(folder: Path) -> bool:
    """Whether the Python files below a folder are so few that they can be analysed for one of them."""
    size = 0
    for entries, entry in enumerate(_below(str(folder))):
        if entry.name.endswith(".py"):
            try:
                size += entry.stat().st_size
            except OSError:
                continue
        if size > MOST_ANALYSED_FOR_FEW or entries > _MOST_ENTRIES:
            return False
    return True


def _below(folder: str) -> Iterator[os.DirEntry[str]]:
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                entries = list(found)
        except OSError:
            continue
        if any(entry.name == _ENVIRONMENT for entry in entries):
            continue
        yield from entries
        waiting += [entry.path for entry in entries if _may_hold_code(entry)]


def _may_hold_code(entry: os.DirEntry[str]) -> bool:
    is_named_so = not entry.name.startswith(".") and entry.name not in _ELSEWHERE
    return is_named_so and entry.is_dir(follow_symlinks=False)
