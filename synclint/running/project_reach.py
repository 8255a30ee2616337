"""What nothing leads to in the files of a whole project."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from synclint.analysis.program.entry_points import Reach, reach_in
from synclint.analysis.program.mentioned import mentioned
from synclint.analysis.program.project_files import ProjectFile
from synclint.files.real_paths import real_path
from synclint.running.survey import SurveyedFiles


def project_reach(surveyed: SurveyedFiles) -> Reach:
    """What is reached in a project by the texts of its files, and by what its configuration says.

    Where no file has torch in reach nothing is reported, reached or not.
    """
    if not any(file.has_torch_in_reach for file in surveyed.files):
        return Reach()
    roots = sorted((real_path(root) for root in surveyed.roots), key=lambda root: -len(root.parts))
    packages = {file.real_path.parent for file in surveyed.files if file.real_path.name == "__init__.py"}
    files = [
        ProjectFile(str(file.real_path), _parts(file.real_path, roots, packages), mentioned(file.source))
        for file in surveyed.files
    ]
    project = surveyed.project
    return reach_in(files, project.entries, project.shown, is_installed=project.is_installed)


def _parts(path: Path, roots: Iterable[Path], packages: set[Path]) -> tuple[str, ...]:
    """The path of a file in the project, with the folders of all packages that it is in."""
    root = next((root for root in roots if path.is_relative_to(root)), path.parent)
    while root in packages:
        root = root.parent
    return path.relative_to(root).parts
