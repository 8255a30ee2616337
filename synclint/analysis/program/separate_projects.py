"""Which files of a folder have nothing to do with one another: folders at its top with no imports between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from synclint.analysis.program.mentioned import EVERYWHERE
from synclint.analysis.program.project_files import ProjectFile

Name = tuple[str, ...]


def separate_projects(files: Iterable[ProjectFile]) -> list[tuple[ProjectFile, ...]]:
    """The files in groups: no module of one is imported by another one, nor looked up by a name that is not known.

    The files of one folder at the top are together, and so are those beside the folders.
    """
    by_folder: defaultdict[str, list[ProjectFile]] = defaultdict(list)
    for file in files:
        by_folder[file.parts[0] if len(file.parts) > 1 else ""].append(file)
    joined = {folder: {folder} for folder in by_folder}
    holders = _holders(by_folder)
    for folder, within in by_folder.items():
        for other in _taken_by(folder, within, holders):
            if joined[folder] is not joined[other]:
                joined[folder] |= joined[other]
                for each in joined[other]:
                    joined[each] = joined[folder]
    groups = {id(group): group for group in joined.values()}
    return [tuple(file for folder in sorted(group) for file in by_folder[folder]) for group in groups.values()]


def _holders(by_folder: Mapping[str, Iterable[ProjectFile]]) -> Mapping[Name, frozenset[str]]:
    """The folders that have a module, by the names it may be imported under: from any folder that is no package."""
    packages = {file.module for files in by_folder.values() for file in files if file.is_package}
    found: defaultdict[Name, set[str]] = defaultdict(set)
    for folder, files in by_folder.items():
        for file in files:
            for start in range(len(file.module)):
                if file.module[:start] not in packages:
                    found[file.module[start:]].add(folder)
    return {name: frozenset(folders) for name, folders in found.items()}


def _taken_by(folder: str, files: Iterable[ProjectFile], holders: Mapping[Name, frozenset[str]]) -> frozenset[str]:
    """The folders other than its own from which the files of one import modules, or may look some up."""
    everywhere = frozenset[str]().union(*holders.values())
    imported: set[Name] = set()
    for file in files:
        if EVERYWHERE in file.says.by_name:
            return everywhere
        imported.update(tuple(name.split(".")) for name in file.says.modules if not name.startswith("."))
    found = (holders.get(name, frozenset[str]()) for name in imported)
    return frozenset[str]().union(*(folders for folders in found if folder not in folders))
