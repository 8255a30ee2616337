"""The files of a run as parts of the project in which they stand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from synclint.analysis.program.project_files import ProjectFile
from synclint.files.real_paths import real_path
from synclint.running.survey import CodeFile, SurveyedFiles


def project_files(surveyed: SurveyedFiles) -> list[ProjectFile]:
    """The files of a run with what their texts say, in the same order."""
    parts = paths_in_project(surveyed)
    return [ProjectFile(str(file.real_path), parts[file], surveyed.said(file.source)) for file in surveyed.files]


def paths_in_project(surveyed: SurveyedFiles) -> dict[CodeFile, tuple[str, ...]]:
    """The path of each file below the folder that was named, or its own, with the folders of all packages around it."""
    roots = sorted((real_path(root) for root in surveyed.roots), key=lambda root: -len(root.parts))
    packages = {file.real_path.parent for file in surveyed.files if file.real_path.name == "__init__.py"}
    return {file: _parts(file.real_path, roots, packages) for file in surveyed.files}


def _parts(path: Path, roots: Iterable[Path], packages: set[Path]) -> tuple[str, ...]:
    root = next((root for root in roots if root in path.parents), path.parent)
    while root in packages:
        root = root.parent
    return path.relative_to(root).parts
