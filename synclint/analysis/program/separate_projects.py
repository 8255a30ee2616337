"""Which files of a folder have nothing to do with one another: folders at its top with no imports between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set

from synclint.analysis.program.mentioned import EVERYWHERE
from synclint.analysis.program.project_files import ProjectFile


def separate_projects(files: Iterable[ProjectFile], imported: Mapping[str, Set[str]]) -> list[tuple[ProjectFile, ...]]:
    """The files in groups: no module of one is imported by another one, nor looked up by a name that is not known.

    ``imported`` are the paths of what each file imports. The files of one folder at the top are together, and so are
    those beside the folders.
    """
    by_folder: defaultdict[str, list[ProjectFile]] = defaultdict(list)
    for file in files:
        by_folder[_top_of(file)].append(file)
    folder_of = {file.path: folder for folder, within in by_folder.items() for file in within}
    joined = {folder: {folder} for folder in by_folder}
    for folder, within in by_folder.items():
        takes_any = any(EVERYWHERE in file.says.by_name for file in within)
        taken = set(by_folder) if takes_any else {folder_of[path] for file in within for path in imported[file.path]}
        for other in taken:
            if joined[folder] is not joined[other]:
                joined[folder] |= joined[other]
                for each in joined[other]:
                    joined[each] = joined[folder]
    groups = {id(group): group for group in joined.values()}
    return [tuple(file for folder in sorted(group) for file in by_folder[folder]) for group in groups.values()]


def _top_of(file: ProjectFile) -> str:
    return file.parts[0] if len(file.parts) > 1 else ""
