"""Whether runs with a memory find what runs without one find after each commit of a repository, and what they cost.

``python -m benchmarks.commits REPOSITORY`` goes through the last commits of a clone that change Python files, from
the first to the last, and checks what the files were after each.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from benchmarks.edit_check import Comparison, Step

# A run that costs no more of one without memory had no share of the package analysed.
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


@click.command()
@click.argument("repository", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--count", type=click.IntRange(min=2), default=41, show_default=True, help="How many commits to check.")
@click.option("--under", default="", metavar="FOLDER", help="Only what lies in this folder of the repository.")
def main(repository: Path, count: int, under: str) -> None:
    """Compare runs after each of the last commits of the clone at REPOSITORY, or of its git directory."""
    git = repository / ".git" if (repository / ".git").exists() else repository
    history = History(git, under)
    shares: list[float] = []
    differences = 0
    try:
        commits = history.last(count)
        if len(commits) < 2:
            raise click.ClickException(f"fewer than two commits of {repository} change Python files")
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as memory:
            os.environ["XDG_CACHE_HOME"] = memory
            for step in steps_of(history, commits, Path(folder), Path(memory, "cache")):
                shares.append(step.cpu / step.cpu_without)
                differences += bool(step.difference)
                click.echo(f"{shares[-1]:.2f} {step.said}{f' DIFFERS: {step.difference}' if step.difference else ''}")
    except _GitError as error:
        raise click.ClickException(str(error)) from None
    quick = sum(each <= _QUICK for each in shares)
    click.echo(
        f"{len(shares)} commits: {quick} cost at most {_QUICK:.0%} of a run without memory, the median is "
        f"{median(shares):.0%}; {differences} {'differs' if differences == 1 else 'differ'}"
    )
    if differences:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
