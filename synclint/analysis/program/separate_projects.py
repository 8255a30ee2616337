"""Which files of a run have nothing to do with one another: folders at the top with no imports between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import PurePath
from typing import NamedTuple

from synclint.analysis.program.mentioned import EVERYWHERE
from synclint.analysis.program.project_files import ProjectFile

Name = tuple[str, ...]


class _Folder(NamedTuple):
    """A folder at the top of what was named, or of what is around the package that was; that itself has no name."""

    root: PurePath
    name: str


def separate_projects(files: Iterable[ProjectFile]) -> list[tuple[ProjectFile, ...]]:
    """The files in groups: no module of one is imported by another one, nor looked up by a name that is not known.

    What is imported by a name that is put together is what defines something that is asked of it.

    The files of one folder at the top are together, and so are those beside the folders.
    """
    by_folder: defaultdict[_Folder, list[ProjectFile]] = defaultdict(list)
    for file in files:
        by_folder[_folder_of(file)].append(file)
    joined = {folder: {folder} for folder in by_folder}
    holders = _holders(by_folder)
    defining: defaultdict[str, set[_Folder]] = defaultdict(set)
    for folder, within in by_folder.items():
        for name in frozenset[str]().union(*(file.says.definitions for file in within)):
            defining[name].add(folder)
    for folder, within in by_folder.items():
        for other in _taken_by(folder, within, holders, defining):
            if joined[folder] is not joined[other]:
                joined[folder] |= joined[other]
                for each in joined[other]:
                    joined[each] = joined[folder]
    groups = {id(group): group for group in joined.values()}
    return [tuple(file for folder in sorted(group) for file in by_folder[folder]) for group in groups.values()]


def _folder_of(file: ProjectFile) -> _Folder:
    root = PurePath(file.path).parents[len(file.parts) - 1]
    return _Folder(root, file.parts[0] if len(file.parts) > 1 else "")


def _holders(by_folder: Mapping[_Folder, Sequence[ProjectFile]]) -> Mapping[Name, frozenset[_Folder]]:
    """The folders that have a module, by the names it may be imported under: from any folder that is no package."""
    packages = {file.module for files in by_folder.values() for file in files if file.is_package}
    found: defaultdict[Name, set[_Folder]] = defaultdict(set)
    for folder, files in by_folder.items():
        for file in files:
            from_above = (folder.root.name, *file.module)
            found[from_above].add(folder)
            for start in range(len(file.module)):
                if file.module[:start] not in packages:
                    found[file.module[start:]].add(folder)
    return {name: frozenset(folders) for name, folders in found.items()}


def _taken_by(
    folder: _Folder,
    files: Sequence[ProjectFile],
    holders: Mapping[Name, frozenset[_Folder]],
    defining: Mapping[str, Set[_Folder]],
) -> frozenset[_Folder]:
    """The folders from which the files of one import modules, or may look some up; its own may be one of them.

    ``defining`` are the folders in which something of a name is defined.
    """
    everywhere = frozenset[_Folder]().union(*holders.values())
    imported: set[Name] = set()
    for file in files:
        if EVERYWHERE in file.says.by_name:
            return everywhere
        imported.update(tuple(name.split(".")) for name in file.says.modules if not name.startswith("."))
    asked = frozenset[str]().union(*(file.says.loaded for file in files))
    found = {one for name in asked & defining.keys() for one in defining[name]}
    for name in imported:
        taken = holders.get(name, frozenset())
        # Python takes a package before a module of the same name that stands beside it.
        if folder not in taken or any(one.root == folder.root and one.name == name[0] for one in taken):
            found |= taken
    return frozenset(found)
