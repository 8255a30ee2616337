"""What files beside its code say of a project: where programs begin, whether it is installed, what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from synclint.files.bounded_files import read_at_most
from synclint.files.real_paths import real_path
from synclint.running.shown_imports import PAGES, shown_imports

_NAMES = ("pyproject.toml", "setup.cfg")
_INSTALLS = "setup.py"
_MOST_BYTES = 2**20
# So far above what is checked somebody looks for them; a repository ends it before.
_MOST_FOLDERS = 3
# ``[project.scripts]``, ``[project.entry-points]`` and ``console_scripts`` name functions so. Source: the entry points
# specification of the Python Packaging User Guide.
_ENTRY = re.compile(r"(?<=\w):(\w{1,100}(?:\.\w{1,100}){0,9})")
_PACKAGES = re.compile(r"^\[(project|tool\.poetry|tool\.setuptools|tool\.flit|options)\b", re.MULTILINE)


@dataclass(frozen=True)
class ConfiguredProject:
    """``entries`` are the names of functions that are commands; one that ``is_installed`` has packages for others.

    ``shown`` are the dotted names that its introduction imports.
    """

    entries: frozenset[str] = frozenset()
    is_installed: bool = False
    shown: frozenset[str] = frozenset()


def configured_project(roots: Iterable[Path]) -> tuple[ConfiguredProject, frozenset[str]]:
    """What is said of a project with these roots, and the paths at which somebody has looked."""
    entries: set[str] = set()
    shown: set[str] = set()
    is_installed = False
    looked_at: set[str] = set()
    for folder in _folders(roots):
        looked_at.add(str(folder / _INSTALLS))
        is_installed = is_installed or (folder / _INSTALLS).is_file()
        for name in PAGES:
            looked_at.add(str(folder / name))
            shown.update(shown_imports(_text(folder / name)))
        for name in _NAMES:
            path = folder / name
            looked_at.add(str(path))
            text = _text(path)
            is_installed = is_installed or _PACKAGES.search(text) is not None
            entries.update(name for found in _ENTRY.findall(text) for name in found.split("."))
    return ConfiguredProject(frozenset(entries), is_installed, frozenset(shown)), frozenset(looked_at)


def _text(path: Path) -> str:
    """The text of a file, empty where there is none that can be read."""
    try:
        return read_at_most(path, _MOST_BYTES, "a file of the project").decode("utf-8", "replace")
    except OSError:
        return ""


def _folders(roots: Iterable[Path]) -> Iterator[Path]:
    """The folders that are checked, and those above within the repository."""
    for root in dict.fromkeys(map(real_path, roots)):
        if root.is_dir():
            for folder in (root, *root.parents)[:_MOST_FOLDERS]:
                yield folder
                if (folder / ".git").exists():
                    break
