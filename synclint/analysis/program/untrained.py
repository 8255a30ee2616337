"""Which files only such programs of a project run that train nothing, beside others that train: evaluations, viewers.

And which files programs that train run as parts of themselves, though they could be run alone: that is a trial.

A program runs its own file and all that it imports, through any number of files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Set
from typing import NamedTuple

from synclint.analysis.program.imported_files import ImportedFiles, led_to
from synclint.analysis.program.project_files import ProjectFile


class BesideTraining(NamedTuple):
    """Files of a project in which programs train: those that only other programs run, and those with a trial.

    A ``tried`` file is imported by programs that train, trains nothing itself, and does something when it is run.
    """

    untrained: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()


def beside_training(files: Collection[ProjectFile], scripts: Set[str], imports: ImportedFiles) -> BesideTraining:
    """The paths of the files that stand beside training; nothing where no program of a project trains.

    ``scripts`` are the paths of the files that are run as programs.
    """
    importing: defaultdict[str, set[str]] = defaultdict(set)
    for path, found in imports.of.items():
        for one in found:
            importing[one].add(path)
    to_training = led_to((file.path for file in files if file.says.trains), importing)
    in_training = led_to(scripts & to_training, imports.of)
    if not in_training:
        return BesideTraining()
    untrained = led_to(scripts - to_training, imports.of) - in_training
    parts = {one for path in in_training for one in imports.imported[path] if one != path}
    training = {file.path for file in files if file.says.trains}
    return BesideTraining(frozenset(untrained), frozenset((scripts & parts) - training))
