"""Packages of a project, by what they hand on: whether that is for others than the project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from synclint.analysis.program.project_files import ProjectFile


def packages_for_others(
    files: Iterable[ProjectFile], names: frozenset[str], programs: Iterable[ProjectFile]
) -> frozenset[tuple[str, ...]]:
    """The folders of packages at the top that hand on some of the ``names`` to nobody in the project.

    All ``programs`` of the project stand in such a package, as what shows how it is used, and its modules take what
    they need from one another. What its ``__init__`` imports is then there for programs, its own and those of others;
    tests and examples are some, too.
    """
    files, programs = tuple(files), tuple(programs)
    packages = {file.parts[:-1]: file.says.given & names for file in files if file.is_package}
    at_the_top = {folder: given for folder, given in packages.items() if folder and folder[:-1] not in packages}
    scripts = {program.path for program in programs}
    taken = {module for file in files if not file.is_aside and file.path not in scripts for module in _taken_by(file)}
    return frozenset(
        folder
        for folder, given in at_the_top.items()
        if given
        and all(program.parts[: len(folder)] == folder for program in programs)
        and not any(folder[start:] in taken for start in range(len(folder)))
    )


def for_nobody_here(files: Iterable[ProjectFile], programs: Iterable[ProjectFile]) -> frozenset[str]:
    """The paths of the modules with which packages begin of which the project itself makes no use.

    They stand at the top, without a program, are imported from nowhere else, and import their own modules by their own
    names. Such a module is one that no other module imports.
    """
    files, programs = tuple(files), tuple(programs)
    run = {file.parts[0] for file in programs}
    taken_in: defaultdict[str, set[str]] = defaultdict(set)
    for file in files:
        for module in file.says.modules:
            taken_in[module.partition(".")[0]].add(file.parts[0] if len(file.parts) > 1 else "")
    alone = {folder for folder, where in taken_in.items() if folder not in run and where == {folder}}
    taken = frozenset(whole for file in files for name in file.says.modules for whole in _with_what_holds_it(name))
    inside = (file for file in files if len(file.parts) > 1 and file.parts[0] in alone and not file.is_aside)
    return frozenset(file.path for file in inside if ".".join(file.module) not in taken)


def shown_to_others(
    files: Iterable[ProjectFile], shown: Iterable[str], names: frozenset[str]
) -> dict[str, frozenset[str]]:
    """The ``names`` in each file, by its path, that an introduction to the project imports by dotted names."""
    told: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for dotted in shown:
        module, _, name = dotted.rpartition(".")
        told[tuple(module.split("."))].add(name)
    found: dict[str, frozenset[str]] = {}
    for file in files:
        for path, imported in told.items():
            if file.module[-len(path) :] == path and imported & names:
                found[file.path] = found.get(file.path, frozenset[str]()) | (imported & names)
    return found


def _taken_by(file: ProjectFile) -> Iterator[tuple[str, ...]]:
    """The names of the modules that a file imports, or from which it imports something; of a package not its own."""
    for module in file.says.modules:
        levels = len(module) - len(module.lstrip("."))
        path = tuple(part for part in module.split(".") if part)
        named = (*file.parts[:-levels], *path) if levels else path
        if not file.is_package or named != file.module:
            yield named


def library_folders(files: Iterable[ProjectFile], names: frozenset[str]) -> frozenset[tuple[str, ...]]:
    """The folders of packages that are there for others: at the top of each something is defined, or handed on.

    What the project imports by a longer name, as ``ldm.modules.images``, is a part of what has that name.
    """
    files = tuple(files)
    packages = {file.parts[:-1]: file.says for file in files if file.is_package}
    imported = frozenset(whole for file in files for name in file.says.modules for whole in _with_what_holds_it(name))
    return frozenset(
        folder
        for folder, says in packages.items()
        if folder
        and folder[:-1] not in packages
        and not any(".".join(folder[start:]) in imported for start in range(len(folder) - 1))
        and (not names.isdisjoint(says.given) or says.stars or says.definitions or "__all__" in says.assigned)
    )


def _with_what_holds_it(module: str) -> Iterator[str]:
    """A dotted name, and those of the packages in which it is."""
    while module:
        yield module
        module = module.rpartition(".")[0]


def starred_modules(files: Iterable[ProjectFile]) -> frozenset[tuple[str, ...]]:
    """The modules of which packages hand on all that is public."""
    files = tuple(files)
    ends: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for file in files:
        ends[file.stem].append(file.module)
    found: set[tuple[str, ...]] = set()
    for file in files:
        for star in file.says.stars if file.is_package or file.is_hub else ():
            path = tuple(star.lstrip(".").split("."))
            levels = len(star) - len(star.lstrip("."))
            if levels:
                folders = file.parts[:-levels]
                found.add((*folders, *path) if path != ("",) else folders)
            else:
                found.update(module for module in ends[path[-1]] if module[-len(path) :] == path)
    return frozenset(found)
