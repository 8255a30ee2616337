"""Which files of a project each file imports, by the names of modules in its text.

A script may mean a module beside it, one at the top of the project, or one in a folder that is put on the path: of
several, those are meant that are nearest to it. A dotted name in a string counts, as ``"training.dataset.Images"``
does, and so do the modules that are imported by a name that is put together.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import PurePosixPath

from synclint.analysis.program.project_files import ProjectFile

_Name = tuple[str, ...]


def led_to(start: Iterable[str], edges: Mapping[str, Collection[str]]) -> set[str]:
    """The files to which some lead, by the files to which each of them does, and these themselves."""
    found = set(start)
    waiting = list(found)
    while waiting:
        new = set(edges.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


class ImportedFiles:
    """The files that each file of a project imports, by their paths.

    ``imported`` are those that statements and calls import, ``of`` also those that strings name. ``lost`` are the files
    that import something by a name of which nothing tells what it is, ``elsewhere`` the last parts of the names that
    mean none of the files: what has those comes from elsewhere, or the project stands in a larger one.
    """

    def __init__(self, files: Collection[ProjectFile]) -> None:
        self._by_module: defaultdict[_Name, list[ProjectFile]] = defaultdict(list)
        self._by_last: defaultdict[str, list[ProjectFile]] = defaultdict(list)
        for file in files:
            self._by_module[file.module].append(file)
            self._by_last[file.module[-1] if file.module else ""].append(file)
        self._packages = {file.module for file in files if file.is_package}
        self._files = files
        self._path = {place for file in files for place in _seen_from(file, file.says.loading.folders)}
        self.lost: set[str] = set()
        self.elsewhere: defaultdict[str, set[str]] = defaultdict(set)
        self.imported: dict[str, set[str]] = {}
        self.of: dict[str, set[str]] = {}
        for file in files:
            folders = [*self._path_of(file)]
            self.imported[file.path] = self._imported(file, folders) | self._put_together(file, folders)
            named = {one.path for name in file.says.loading.names for one in self._named(file, name, folders)}
            self.of[file.path] = self.imported[file.path] | named

    def _path_of(self, file: ProjectFile) -> Iterator[_Name]:
        """The folders that a file, and those beside it that it imports, add to where modules are looked up."""
        here = _folder(file)
        beside = (one for name in file.says.modules for one in self._by_module.get((*here, *name.split(".")), ()))
        for one in (file, *beside):
            yield from _seen_from(one, one.says.loading.folders)

    def _imported(self, file: ProjectFile, folders: Iterable[_Name]) -> set[str]:
        found: set[str] = set()
        for name in file.says.modules:
            meant = self._relative(file, name) if name.startswith(".") else self._meant(file, name, folders)
            found.update(one.path for one in meant)
            if not meant:
                self.elsewhere[file.path].add(name.rpartition(".")[2])
        return found

    def _put_together(self, file: ProjectFile, folders: Collection[_Name]) -> set[str]:
        """What a file imports by names that it puts together, from packages, or from where modules are looked up."""
        loading = file.says.loading
        found = {one.path for name in loading.packages for one in self._in_package(name)}
        if loading.by_name:
            found |= self._offering(file, {file.parts[:-1], *folders})
        if (loading.by_name or loading.packages) and not found:
            self.lost.add(file.path)
        return found

    def _offering(self, file: ProjectFile, folders: Collection[_Name]) -> set[str]:
        """The files in some folders that have most of what a file asks of something that it imports by its name."""
        asked = file.says.loading.asked
        offered = {
            one.path: len(asked & (one.says.definitions.keys() | one.says.given))
            for one in self._files
            if one.parts[:-1] in folders and one is not file
        }
        most = max(offered.values(), default=0)
        return {path for path, count in offered.items() if count == most > 0}

    def _relative(self, file: ProjectFile, dotted: str) -> Collection[ProjectFile]:
        name = dotted.lstrip(".")
        folder = _folder(file)
        around = folder[: len(folder) - (len(dotted) - len(name)) + 1]
        return self._by_module.get((*around, *name.split(".")) if name else around, ())

    def _named(self, file: ProjectFile, name: str, folders: Iterable[_Name]) -> Iterator[ProjectFile]:
        """The files that a string of a file names: by their module, or by what stands in that."""
        yield from self._meant(file, name, folders)
        around, _, last = name.rpartition(".")
        for one in self._meant(file, around, folders) if around else ():
            if last in one.says.definitions or last in one.says.assigned or last in one.says.given:
                yield one

    def _meant(self, file: ProjectFile, name: str, folders: Iterable[_Name]) -> Collection[ProjectFile]:
        """The files that a file means by the dotted name of a module, which is also looked up in some ``folders``."""
        path = tuple(name.split("."))
        for place in (_folder(file), *folders, ()):
            if found := self._by_module.get((*place, *path)):
                return found
        return self._nearest(file, path)

    def _nearest(self, file: ProjectFile, path: _Name) -> Collection[ProjectFile]:
        """Of the files with a module of this name in whatever folder, those that are nearest to a file."""
        found = [
            one
            for one in self._by_last.get(path[-1], ())
            if one.module[-len(path) :] == path and self._may_be_looked_up(one.module[: -len(path)])
        ]
        if len(found) < 2:
            return found
        shared = [_common(one.parts[:-1], file.parts[:-1]) for one in found]
        return [one for one, count in zip(found, shared, strict=True) if count == max(shared)]

    def _may_be_looked_up(self, folder: _Name) -> bool:
        """Whether a folder may be one in which modules are looked up: it is no package, or somebody put it there."""
        return folder not in self._packages or folder in self._path

    def _in_package(self, name: str) -> Iterator[ProjectFile]:
        """The files in the packages of a name."""
        path = tuple(name.split("."))
        length = len(path)
        for one in self._files:
            if any(one.module[at : at + length] == path for at in range(len(one.module) - length)):
                yield one


def _folder(file: ProjectFile) -> _Name:
    """The names of the folders in which a file's own imports are looked up first; of a package, its own."""
    return file.module if file.is_package else file.module[:-1]


def _common(first: _Name, second: _Name) -> int:
    """How many folders two paths begin with that are the same."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))])


def _seen_from(file: ProjectFile, folders: Iterable[str]) -> Iterator[_Name]:
    """Where folders are that a file names, seen from its own and from the top of the project."""
    for start in (PurePosixPath(*file.parts[:-1]), PurePosixPath()):
        for folder in folders:
            place = PurePosixPath(os.path.normpath(start / folder).replace(os.sep, "/"))
            if ".." not in place.parts:
                yield place.parts
