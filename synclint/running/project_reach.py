"""What nothing leads to in the files of a whole project."""

from __future__ import annotations

from synclint.analysis.program.entry_points import Reach, reach_in
from synclint.running.project_files import project_files
from synclint.running.survey import SurveyedFiles


def project_reach(surveyed: SurveyedFiles) -> Reach:
    """What is reached in a project by the texts of its files, and by what its configuration says.

    Where no file has torch in reach nothing is reported, reached or not.
    """
    if not any(file.has_torch_in_reach for file in surveyed.files):
        return Reach()
    project = surveyed.project
    return reach_in(project_files(surveyed), project.entries, project.shown, is_installed=project.is_installed)
