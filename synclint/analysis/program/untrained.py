"""Which files only such programs of a project run that train nothing, beside others that train: evaluations, viewers.

And which files programs that train run as parts of themselves, though they could be run alone: that is a trial.

A program runs its own file and all that it imports, through any number of files; a class whose name stands in it
together with that of its module is imported, too, as with ``"training.dataset.Images"``. Whoever takes a model from the
file of a program that trains does not train by that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from synclint.analysis.program.mentioned import OF_MODULE, plain
from synclint.analysis.program.project_files import ProjectFile

_Name = tuple[str, ...]


class BesideTraining(NamedTuple):
    """Files of a project in which programs train: those that only other programs run, and those with a trial.

    A ``tried`` file is imported by programs that train, trains nothing itself, and does something when it is run.
    """

    untrained: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()


def beside_training(files: Collection[ProjectFile], scripts: Set[str]) -> BesideTraining:
    """The paths of the files that stand beside training; nothing where no program of a project trains.

    ``scripts`` are the paths of the files that are run as programs.
    """
    imported, loaded = imports_of(files), loaded_by(files)
    importing: defaultdict[str, set[str]] = defaultdict(set)
    for path, found in imported.items():
        for one in found:
            importing[one].add(path)
    training = {file.path for file in files if file.says.trains}
    to_training = led_to(training, importing)
    by_path = {file.path: file for file in files}
    leading: defaultdict[str, set[str]] = defaultdict(set)
    for one, others in importing.items():
        program = by_path[one]
        is_run = one in scripts and program.says.is_guarded
        leading[one] = {path for path in others if not is_run or _trains_by(by_path[path], program, files, to_training)}
    to_training = led_to(training, leading)
    in_training = led_to(scripts & to_training, {path: found | loaded[path] for path, found in imported.items()})
    if not in_training:
        return BesideTraining()
    untrained = led_to(scripts - to_training, imported) - in_training
    parts = {one for path in in_training for one in imported[path] if one != path}
    return BesideTraining(frozenset(untrained), frozenset((scripts & parts) - training))


def _trains_by(
    importing: ProjectFile, program: ProjectFile, files: Collection[ProjectFile], to_training: Collection[str]
) -> bool:
    """Whether a file may train by what it has from a ``program``, which trains when it is run.

    ``to_training`` are the paths of the files that lead to training, whatever others have from them.
    """
    says = program.says
    if any(star.rpartition(".")[2] == program.stem for star in importing.says.stars):
        return True
    elsewhere = {file.stem for file in files if file.path in to_training} - {program.stem}
    waiting = [plain(word) for word in importing.says.words if word.partition(OF_MODULE)[2] == program.stem]
    known = set(waiting)
    while waiting:
        name = waiting.pop()
        for one in says.definitions.values():
            if name not in (one.name, one.owner):
                continue
            if one.trains or any(word.partition(OF_MODULE)[2] in elsewhere for word in one.words):
                return True
            new = {plain(word) for word in one.words} & says.definitions.keys() - known
            known |= new
            waiting += new
    return False


def led_to(start: Iterable[str], edges: Mapping[str, Collection[str]]) -> set[str]:
    """The files to which some lead, by the files to which each of them does, and these themselves."""
    found = set(start)
    waiting = list(found)
    while waiting:
        new = set(edges.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def imports_of(files: Collection[ProjectFile]) -> dict[str, set[str]]:
    """The files that each file imports."""
    by_module: defaultdict[_Name, list[str]] = defaultdict(list)
    by_last: defaultdict[str, list[ProjectFile]] = defaultdict(list)
    by_class: defaultdict[str, list[ProjectFile]] = defaultdict(list)
    for file in files:
        by_module[file.module].append(file.path)
        by_last[file.module[-1] if file.module else ""].append(file)
        for name, one in file.says.definitions.items():
            if one.is_class and not one.owner and file.module:
                by_class[name].append(file)

    def meant(file: ProjectFile, dotted: str) -> Iterator[str]:
        path = tuple(dotted.lstrip(".").split("."))
        levels = len(dotted) - len(dotted.lstrip("."))
        folder = file.module if file.is_package else file.module[:-1]
        if levels:
            folder = folder[: len(folder) - levels + 1]
            yield from by_module.get((*folder, *path) if path != ("",) else folder, ())
            return
        known = by_module.get((*folder, *path)) or by_module.get(path)
        if known is None:
            known = [one.path for one in by_last.get(path[-1], ()) if one.module[-len(path) :] == path]
        yield from known

    found: dict[str, set[str]] = {}
    for file in files:
        mine = found[file.path] = {one for dotted in file.says.modules for one in meant(file, dotted)}
        for word in file.says.words & by_class.keys():
            mine.update(one.path for one in by_class[word] if one.module[-1] in file.says.words)
    return found


def loaded_by(files: Collection[ProjectFile]) -> dict[str, set[str]]:
    """The files that each file may import by a name that is put together: those that define what it asks of them."""
    defining: defaultdict[str, set[str]] = defaultdict(set)
    for file in files:
        for name in file.says.definitions:
            defining[name].add(file.path)
    return {
        file.path: {path for name in file.says.loaded & defining.keys() for path in defining[name]} for file in files
    }
