"""What is reached in a project after edits, found out by the texts of all of its files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from synclint.analysis.program.entry_points import Reach
from synclint.analysis.program.mentioned import mentioned
from synclint.running.context_memo import KnownReach
from synclint.running.project_reach import project_reach
from synclint.running.survey import CodeFile, SurveyedFiles


def reach_after(surveyed: SurveyedFiles, before: Mapping[Path, CodeFile], old: KnownReach) -> Reach | None:
    """What is reached by now in a project of which some files had other texts ``before``, by the paths of these.

    None where that tells otherwise of anything that was there before (``old``), and still is.
    """
    new = project_reach(surveyed)
    if (old.untrained, old.tried, old.projects, old.on_host) != (new.untrained, new.tried, new.projects, new.on_host):
        return None
    texts = {str(file.real_path): (before[file.path], file) for file in surveyed.files if file.path in before}
    for path in old.unreached.keys() | new.unreached.keys():
        names, names_now = (one.unreached.get(path, frozenset()) for one in (old, new))
        if path in texts:
            defined, defined_now = (mentioned(file.source).definitions.keys() for file in texts[path])
            names, names_now = names & defined_now, names_now & defined
        if names != names_now:
            return None
    return new
