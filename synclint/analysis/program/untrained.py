"""Which files only such programs of a project run that train nothing, beside others that train: evaluations, viewers.

And which files programs that train run as parts of themselves, though they could be run alone: that is a trial.

A program runs its own file and all that it imports, through any number of files; a class whose name stands in it
together with that of its module is imported, too, as with ``"training.dataset.Images"``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

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
    imported = imports_of(files)
    importing: defaultdict[str, set[str]] = defaultdict(set)
    for path, found in imported.items():
        for one in found:
            importing[one].add(path)
    to_training = led_to((file.path for file in files if file.says.trains), importing)
    in_training = led_to(scripts & to_training, imported)
    if not in_training:
        return BesideTraining()
    untrained = led_to(scripts - to_training, imported) - in_training
    parts = {one for path in in_training for one in imported[path] if one != path}
    training = {file.path for file in files if file.says.trains}
    return BesideTraining(frozenset(untrained), frozenset((scripts & parts) - training))


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
        words = file.says.top.union(*(one.words for one in file.says.definitions.values()))
        for word in words & by_class.keys():
            mine.update(one.path for one in by_class[word] if one.module[-1] in words)
    return found
