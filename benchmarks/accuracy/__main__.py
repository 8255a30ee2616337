"""The command: measure, print, and with ``--record`` keep what was measured and write the pages that print it."""

from __future__ import annotations

import platform
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import click

from benchmarks.accuracy import packages, record, repositories
from benchmarks.accuracy.data import books, truths
from benchmarks.accuracy.linting import AccuracyError
from benchmarks.accuracy.pages import PARTS, REPOSITORY, PageError, parts, percentage, updated
from synclint.version import __version__


@click.command()
@click.option(
    "--repositories",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="Where clones of the repositories of the book lie, as DIR/OWNER/NAME or DIR/NAME. Without it, only the "
    "packages are measured.",
)
@click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path.home() / ".cache" / "synclint-accuracy",
    help="Where the wheels that were measured are kept.",
)
@click.option("--only", default="", metavar="TEXT", help="Only packages and repositories with this in their names.")
@click.option(
    "--book",
    "name",
    type=click.Choice(["book", "guiding"]),
    default="book",
    help="Which repositories: those that are reported, or those that were labelled before synclint saw them, and whose "
    "mistakes have guided changes since.",
)
@click.option("--record", "keeps", is_flag=True, help="Keep the figures, and write them into the README and the docs.")
def main(folder: Path | None, cache: Path, only: str, name: str, keeps: bool) -> None:
    """Hold the linter of this environment against the open sets, with the figures that the README and docs print.

    The wheels are downloaded, and nothing is installed or run.
    """
    if keeps and (folder is None or only or name != "book"):
        raise click.UsageError("--record needs all: give --repositories, and neither --only nor --book")
    try:
        commit = _commit(is_clean=keeps)
        of_packages = []
        for truth in truths():
            if only in truth.distribution:
                of_packages.append(packages.measured(truth, cache))
                click.echo(_package_line(of_packages[-1]))
        of_repositories = []
        for book in books(name) if folder is not None else ():
            if only in book.repository and folder is not None:
                of_repositories.append(repositories.measured(book, folder))
                click.echo(_repository_line(of_repositories[-1]))
    except AccuracyError as error:
        raise click.ClickException(str(error)) from None
    waits = packages.total_recalled(each.waits for each in of_packages)
    flagged = packages.total_judged(each.flagged for each in of_packages)
    if of_packages:
        click.echo(_line("all packages", {"recall": (waits.found, waits.waited), "precision": _ran(flagged)}))
    if of_repositories:
        shares = repositories.pooled(of_repositories)
        click.echo(_line("all repositories", {name: (share.some, share.of) for name, share in shares.items()}))
    if keeps:
        today = datetime.now(timezone.utc).date().isoformat()
        made = record.Record(commit, today, __version__, platform.python_version(), of_packages, of_repositories)
        record.FILE.write_text(record.written(made), encoding="utf-8")
        write_pages(made)


def write_pages(made: record.Record) -> None:
    """Write the figures into the pages that print them. Raises ClickException."""
    for name, text in parts(made).items():
        page = PARTS[name]
        try:
            page.write_text(updated(page.read_text(encoding="utf-8"), name, text), encoding="utf-8")
        except PageError as error:
            raise click.ClickException(f"{page}: {error}") from None


def _commit(*, is_clean: bool) -> str:
    """The commit that is measured. Raises AccuracyError for one that would not be found again where it has to be."""
    git = ("git", "-C", str(REPOSITORY))
    changed = subprocess.run([*git, "status", "--porcelain", "synclint", "rules"], capture_output=True, check=False)
    if is_clean and (changed.returncode or changed.stdout.strip()):
        raise AccuracyError("what is recorded has to be a commit: commit the changes in synclint/ and rules/ first")
    said = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return said.stdout.strip()


def _ran(flagged: packages.Judged) -> tuple[int, int]:
    return flagged.right, flagged.right + flagged.false


def _package_line(result: packages.PackageResult) -> str:
    figures = {"recall": (result.waits.found, result.waits.waited), "precision": _ran(result.flagged)}
    return _line(f"{result.name} {result.version}", figures)


def _repository_line(result: repositories.RepositoryResult) -> str:
    shares = {name: getattr(result, name) for name in repositories.FIGURES}
    return _line(result.repository, {name: (share.some, share.of) for name, share in shares.items()})


def _line(name: str, figures: dict[str, tuple[int, int]]) -> str:
    said = "  ".join(f"{figure} {percentage(some, of)} ({some}/{of})" for figure, (some, of) in figures.items())
    return f"{name:<34} {said}"


if __name__ == "__main__":
    main()
