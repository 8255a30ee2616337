"""Where a project looks up names that are not known: in the modules that some of its files name for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from synclint.analysis.program.mentioned import HERE
from synclint.analysis.program.project_files import ProjectFile


def known_by_name(files: Iterable[ProjectFile]) -> frozenset[str]:
    """The last names of the modules in which any public name may be looked up."""
    return frozenset(name for file in files for name in file.says.by_name - {HERE})


def names_open_in(file: ProjectFile) -> frozenset[str]:
    """The names that a file has from others, where it may look up any of them."""
    return file.says.given if HERE in file.says.by_name else frozenset()


def open_to_names(files: Iterable[ProjectFile]) -> frozenset[str]:
    """The paths of files that look up any of the names that they know, and of those that they import whole."""
    files = tuple(files)
    by_last: defaultdict[str, list[ProjectFile]] = defaultdict(list)
    for file in files:
        by_last[file.module[-1] if file.module else ""].append(file)
    found: set[str] = set()
    for file in files:
        if HERE in file.says.by_name:
            found.add(file.path)
            for name in file.says.whole:
                found.update(other.path for other in by_last[name.rpartition(".")[2]] if _may_be(other, name))
    return frozenset(found)


def _may_be(file: ProjectFile, name: str) -> bool:
    """Whether a dotted name of a module, as written, may be that of a file: both end alike."""
    if name.startswith("."):
        return True
    parts = tuple(name.split("."))
    return file.module[-len(parts) :] == parts or parts[-len(file.module) :] == file.module
