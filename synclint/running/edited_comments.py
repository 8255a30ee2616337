"""What a run finds after an edit of comments: what it found before, but for the files with other comments.

All that a comment can change is the report of its own file, unless it mentions a name that is mentioned nowhere else,
or no longer does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from synclint.analysis.results.unmentioned import Words
from synclint.config.options import Options
from synclint.results.file_reports import FileReport
from synclint.running.reporting import report_by_itself
from synclint.running.survey import CodeFile
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.sources.kept_texts import kept

if TYPE_CHECKING:
    from synclint.running.runner import Memory


def reports_after(
    changed: Mapping[str, tuple[str, str]],
    words: Words,
    files: Iterable[tuple[Path, Path]],
    memory: Memory,
    options: Options,
) -> dict[Path, FileReport] | None:
    """The new reports of files in which only comments have changed; None where more than these may be new.

    ``changed`` are the hashes before and now, by the absolute paths of all that has changed on which the run rests,
    ``files`` those of the run with their resolved paths.
    """
    real_paths = {str(real): path for path, real in files}
    made: dict[Path, FileReport] = {}
    for name, (before, now) in changed.items():
        path = real_paths.get(name)
        said = None if path is None else memory.shares.code.changed_comments(name, before, now)
        if path is None or said is None or words.could_change(*said) or memory.reports.takes_from(name):
            return None
        seen = memory.reports.seen_in(str(path))
        if seen is None:
            return None
        try:
            file = CodeFile(path, Path(name), kept(read_source(path)))
        except UnreadableSourceError:
            return None
        made[path] = report_by_itself(file, seen, options)
    return made
