"""The analysis of a library, from which its summary is made."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from synclint.analysis.program.module_files import ModuleFiles
from synclint.analysis.project import ProjectAnalysis
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.sources.kept_texts import kept

_DEEPEST_RECURSION = 5000


def modules_in(package: Path, patterns: Iterable[str] = ("**/*.py",)) -> list[Path]:
    """The modules of a package, or those parts of it that patterns name, without its tests."""
    found = {path for pattern in patterns for path in package.glob(pattern)}
    return sorted(path for path in found if "tests" not in path.relative_to(package).parts)


def analysed(package: Path, modules: Iterable[Path]) -> ProjectAnalysis:
    """The project of a package in which ``modules`` of it have been analysed, as far as they have torch in reach.

    A file that cannot be read, or takes more work than is allowed for one, is left out.
    """
    files = ModuleFiles([package.parent])
    texts: dict[Path, str] = {}
    for path in modules:
        with suppress(UnreadableSourceError, OSError):
            texts[path] = read_source(path)
            files.add(files.paths.of(path), kept(texts[path]))
    project = ProjectAnalysis([package.parent], analysed=texts)
    reaching = [path for path in texts if files.reaches_torch(files.paths.of(path))]
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST_RECURSION))
    for step in (project.begin, project.analyse):
        for path in reaching:
            with suppress(Exception):
                step(path, texts[path])
    return project
