"""Which files of a project are loaded: the others are copies that nobody imports, whatever they define."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from synclint.analysis.program.imported_files import ImportedFiles, led_to
from synclint.analysis.program.mentioned import EVERYWHERE
from synclint.analysis.program.project_files import ProjectFile


def loaded_files(files: Iterable[ProjectFile], imports: ImportedFiles, offered: Iterable[str]) -> Collection[str]:
    """The paths of the files that something may load: what does anything when it is run, and all that leads to.

    A module in a package may be imported from elsewhere, and so may what is ``offered``; one in a folder that is none
    only by what stands beside it, or puts the folder on its path. Where a file may load whatever there is, or something
    of which nothing tells which file that is, all are loaded.
    """
    files = tuple(files)
    if any(_may_load_any(file) or file.path in imports.lost for file in files):
        return {file.path for file in files}
    packages = {file.module for file in files if file.is_package}
    by_last: defaultdict[str, set[str]] = defaultdict(set)
    for file in files:
        by_last[file.module[-1] if file.module else ""].add(file.path)
    edges = {
        file.path: imports.of[file.path].union(*(by_last.get(name, ()) for name in imports.elsewhere[file.path]))
        for file in files
    }
    begins = (file.path for file in files if _does_anything(file) or file.is_package or file.module[:-1] in packages)
    return led_to({*offered, *begins}, edges)


def _may_load_any(file: ProjectFile) -> bool:
    return file.says.loading.any_file or EVERYWHERE in file.says.by_name


def _does_anything(file: ProjectFile) -> bool:
    """Whether a file does more than to import, and to define functions and classes."""
    return file.is_begun or file.says.runs or bool(file.says.assigned) or file.is_test or file.is_hub
