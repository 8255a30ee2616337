"""Whether runs with a memory find what runs without one find after each commit of a repository, and what they cost.

``python -m benchmarks.commits REPOSITORY...`` goes through the last commits of clones that change Python files, from
the oldest to the newest, checks what the files were after each, and writes COMMITS.md.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from statistics import median

import click

from benchmarks.edit_check import Comparison, Step
from benchmarks.results import circumstances
from synclint.version import __version__

# A run that costs no more of one without memory counts as quick: hardly anything was analysed again.
_QUICK = 0.1


class _GitError(Exception):
    """What git said when it failed."""


@dataclass(frozen=True)
class Commit:
    """A commit, and the Python files that it changed, adds or deletes."""

    name: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class History:
    """The commits of the clone whose git directory is ``git``, as far as they change Python files below ``under``."""

    git: Path
    under: str

    def last(self, count: int) -> list[Commit]:
        """The last commits of the main line, the oldest first. Raises ``_GitError`` where git fails."""
        lines = self._output("log", "--first-parent", "--no-renames", "--name-only", "--format=%x00%h", "HEAD")
        found: list[Commit] = []
        for entry in lines.split("\0")[1:]:
            name, *paths = entry.split("\n")
            python = tuple(path for path in paths if self._is_checked(path))
            if python:
                found.append(Commit(name, python))
            if len(found) == count:
                break
        return found[::-1]

    def write_all(self, commit: Commit, folder: Path) -> None:
        """Write the Python files of a commit into a folder. Raises ``_GitError`` where git fails."""
        for path in self._output("ls-tree", "-r", "-z", "--name-only", commit.name).split("\0"):
            if self._is_checked(path):
                self._write(commit, path, folder)

    def write_changes(self, commit: Commit, folder: Path) -> None:
        """Make the changes of a commit in the folder that has the files of the one before it."""
        for path in commit.paths:
            if self._output("ls-tree", "--name-only", commit.name, path):
                self._write(commit, path, folder)
            else:
                Path(folder, path).unlink(missing_ok=True)

    def _is_checked(self, path: str) -> bool:
        return path.endswith(".py") and path.startswith(self.under)

    def _write(self, commit: Commit, path: str, folder: Path) -> None:
        text = self._read("show", f"{commit.name}:{path}")
        Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
        Path(folder, path).write_bytes(text)

    def _output(self, *arguments: str) -> str:
        return os.fsdecode(self._read(*arguments))

    def _read(self, *arguments: str) -> bytes:
        command = ["git", "-c", "core.quotePath=false", "--git-dir", str(self.git), *arguments]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            raise _GitError(os.fsdecode(done.stderr).strip())
        return done.stdout


def steps_of(history: History, commits: list[Commit], folder: Path, cache: Path) -> Iterator[Step]:
    """What the runs after each commit but the first have found and cost."""
    first, *others = commits
    history.write_all(first, folder)
    with Comparison(folder, cache) as comparison:
        comparison.after([first.name])
        for commit in others:
            history.write_changes(commit, folder)
            yield comparison.after([commit.name, *commit.paths])


@dataclass(frozen=True)
class Measured:
    """What the runs after the commits of a repository have cost, as parts of runs without memory."""

    name: str
    parts: tuple[float, ...]
    differences: int

    @property
    def row(self) -> str:
        """A row of the table."""
        quick = sum(part <= _QUICK for part in self.parts)
        return f"| {self.name} | {len(self.parts)} | {quick} | {median(self.parts):.2f} | {self.differences} |"


def page(results: Sequence[Measured], where: str) -> str:
    """The page, in Markdown."""
    return "\n".join(
        [
            "# What a run costs after a commit\n",
            f"Written by `python -m benchmarks.commits` on {where}.\n",
            "Each repository is checked after each of its last commits that change Python files, with the results that "
            "earlier runs have kept and without them; shares of 150 kB stand for the larger ones of larger projects. A "
            f"run is quick that costs at most {_QUICK:.0%} of the CPU of the one without memory.\n",
            "| Repository | commits | quick | median of CPU / CPU without memory | other reports |",
            "| --- | ---: | ---: | ---: | ---: |",
            *(one.row for one in results),
            "",
        ]
    )


def _measured(name: str, history: History, count: int) -> Measured:
    commits = history.last(count)
    if len(commits) < 2:
        raise click.ClickException(f"fewer than two commits of {name} change Python files")
    parts: list[float] = []
    differences = 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as memory:
        os.environ["XDG_CACHE_HOME"] = memory
        for step in steps_of(history, commits, Path(folder), Path(memory, "cache")):
            parts.append(step.cpu / step.cpu_without)
            differences += bool(step.difference)
            said = f" DIFFERS: {step.difference}" if step.difference else ""
            click.echo(f"{name} {parts[-1]:.2f} {step.said}{said}", err=True)
    return Measured(name, tuple(parts), differences)


@click.command()
@click.argument("repositories", nargs=-1, required=True, metavar="[NAME=]REPOSITORY...")
@click.option("--count", type=click.IntRange(min=2), default=21, show_default=True, help="How many commits to check.")
@click.option("--under", default="", metavar="FOLDER", help="Only what lies in this folder of the repositories.")
@click.option("--output", type=click.Path(path_type=Path, file_okay=False), default=Path(__file__).parent)
def main(repositories: tuple[str, ...], count: int, under: str, output: Path) -> None:
    """Compare runs after each of the last commits of clones, or of their git directories, and write COMMITS.md."""
    at = circumstances(datetime.now(timezone.utc).date().isoformat())
    results: list[Measured] = []
    try:
        for repository in repositories:
            name, is_named, named = repository.rpartition("=")
            path = Path(named)
            git = path / ".git" if (path / ".git").exists() else path
            results.append(_measured(name if is_named else path.resolve().name, History(git, under), count))
    except _GitError as error:
        raise click.ClickException(str(error)) from None
    where = f"{at.date}: synclint {__version__} ({at.revision}), Python {at.python}, {at.system}, {at.cores} cores"
    output.mkdir(parents=True, exist_ok=True)
    (output / "COMMITS.md").write_text(page(results, where), encoding="utf-8")
    if any(one.differences for one in results):
        raise click.ClickException("runs with a memory have reported something else than runs without one")


if __name__ == "__main__":
    main()
