"""Projects that run on the host: programs train in them, and nothing in any of their files can choose a device.

No file names one or moves anything, and what those that have to do with the training import from outside chooses none.
What is for others, who may be on a GPU, trains nothing; to train in an example, or in a test, is no program's work.
"""

from __future__ import annotations

from collections.abc import Collection, Set

from synclint.analysis.program.host_programs import ON_HOST
from synclint.analysis.program.mentioned import Mentioned
from synclint.analysis.program.project_files import ProjectFile
from synclint.analysis.program.untrained import imports_of, led_to


def is_on_host(files: Collection[ProjectFile], scripts: Set[str]) -> bool:
    """Whether a project trains, and does so on the host; ``scripts`` are the paths of its programs."""
    aside = {file.path for file in files if file.is_aside}
    training = {file.path for file in files if file.says.trains_on_host} - aside
    if not training or any(file.says.may_choose_device for file in files):
        return False
    imported = imports_of(files)
    begun = {file.path for file in files if file.says.is_guarded or file.says.runs} & scripts - aside
    run = [found for script in begun if not training.isdisjoint(found := led_to((script,), imported))]
    modules = {file.module for file in files}
    using = [file for file in files if any(file.path in found for found in run) or "torch" in file.says.whole]
    return bool(run) and all(_is_within(library, modules) for file in using for library in _choosing(file.says))


def _is_within(name: str, modules: Set[tuple[str, ...]]) -> bool:
    """Whether a dotted name is that of a module among these, or of something in one, as seen from some folder."""
    *around, last = name.split(".")
    wanted = [tuple(around), (*around, last)] if around else [(last,)]
    return any(module[-len(path) :] == path for path in wanted for module in modules)


def says_of_devices(says: Mentioned) -> object:
    """What a text says that decides whether its project is on the host."""
    return says.may_choose_device or (says.trains_on_host, _choosing(says))


def _choosing(says: Mentioned) -> frozenset[str]:
    """What a text imports that may choose a device, unless it is a part of the project."""
    imported = (name for name in says.whole if not name.startswith("."))
    return frozenset(name for name in imported if name.partition(".")[0] not in ON_HOST)
