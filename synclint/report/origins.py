"""Where a report comes from: the run that made it, and where its sources can be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote


@dataclass(frozen=True)
class Origin:
    """The ``project`` that was checked, the ``command``, and when it ran (UTC, as people read it).

    ``top`` is the folder that ``source_address`` counts from: a page of the project's server, which ends before the
    path of a file; ``line_mark`` comes between the path and the number of a line. Without an address the files on this
    machine are meant.
    """

    project: str
    command: str
    date: str
    top: Path | None = None
    source_address: str = ""
    line_mark: str = "#L"

    def link(self, path: Path, line: int) -> str:
        """Where a line of the file at ``path`` (absolute) can be read."""
        if self.top is not None and self.source_address and path.is_relative_to(self.top):
            return f"{self.source_address}{_quoted(path.relative_to(self.top))}{self.line_mark}{line}"
        return f"file://{_quoted(path)}"


def _quoted(path: Path) -> str:
    # Names need not be text: their bytes are what identifies them in an address.
    return quote(path.as_posix().encode("utf-8", "surrogateescape"), safe="/")


def origin(folder: Path, command: str, date: str, environment: Mapping[str, str]) -> Origin:
    """The origin of a report about ``folder``, with the server that the variables of GitHub's or GitLab's CI name."""
    for root, pieces in (
        ("GITHUB_WORKSPACE", ("GITHUB_SERVER_URL", "/", "GITHUB_REPOSITORY", "/blob/", "GITHUB_SHA", "/")),
        ("CI_PROJECT_DIR", ("CI_PROJECT_URL", "/-/blob/", "CI_COMMIT_SHA", "/")),
    ):
        named = [environment.get(piece, "") if piece.isupper() else piece for piece in (root, *pieces)]
        if all(named) and named[1].startswith("https://"):
            return Origin(folder.name, command, date, Path(named[0]), "".join(named[1:]))
    return Origin(folder.name, command, date)
