"""Holds what the linter shows by default against what a reader of public repositories would want to see."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.data import Book, Place
from benchmarks.accuracy.linting import AccuracyError, Reported, reported

# A reader looks at so many entries before deciding whether to go on.
_FIRST = 10
# Phases that mean the same to a reader.
_ALIKE = {
    "step": "step", "eval": "eval", "interval": "seldom", "epoch": "seldom", "once": "seldom", "data": "host",
    "test": "aside", "benchmark": "aside", "dead": "aside",
}  # fmt: skip


@dataclass(frozen=True)
class Share:
    """Some of a number."""

    some: int = 0
    of: int = 0

    def __add__(self, other: Share) -> Share:
        """The share of both together."""
        return Share(self.some + other.some, self.of + other.of)


@dataclass(frozen=True)
class RepositoryResult:
    """How the linter did on one repository.

    Of the labelled statements that are reported: ``true`` are those in which the host waits, ``useful`` those worth
    reporting, ``phases`` those whose phase is the reader's. ``worth_found`` are those worth reporting that are
    reported, ``first_ten`` the worth ones among the first ten labelled, ``top_found`` those that should come first and
    do.
    """

    repository: str
    true: Share
    useful: Share
    worth_found: Share
    first_ten: Share
    top_found: Share
    phases: Share


FIGURES = ("true", "useful", "worth_found", "first_ten", "top_found", "phases")


def pooled(results: Iterable[RepositoryResult]) -> dict[str, Share]:
    """Each figure over all repositories."""
    rows = list(results)
    return {name: sum((getattr(row, name) for row in rows), Share()) for name in FIGURES}


def measured(book: Book, folder: Path) -> RepositoryResult:
    """Check the repository of a book at its commit, and count. Raises AccuracyError."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / book.repository.rpartition("/")[2]
        root.mkdir()
        _check_out(book, folder, root)
        return scored(book, reported(root, "."))


def _check_out(book: Book, folder: Path, root: Path) -> None:
    owner, _, name = book.repository.partition("/")
    places = (folder / f"{owner}+{name}" / "repo", folder / owner / name, folder / name)
    home = next((place for place in places if place.is_dir()), None)
    if home is None:
        raise AccuracyError(f"{folder}: there is no clone of github.com/{book.repository}, say at {places[1]}")
    git = ("git", "-c", "safe.directory=*", "-C", str(home), "archive", book.commit, "--", "*.py")
    packed = subprocess.run(git, capture_output=True, check=False)
    if packed.returncode:
        raise AccuracyError(f"{home}: commit {book.commit} is missing: {packed.stderr.decode().strip()[-200:]}")
    subprocess.run(["tar", "x", "-C", str(root)], input=packed.stdout, check=True)


def scored(book: Book, found: Sequence[Reported]) -> RepositoryResult:
    """How findings, in any order, do by a book; they are read in the order of their priorities."""
    ordered = sorted(found, key=lambda finding: -float(finding.get("priority") or 0.0))
    by_file: dict[str, list[Place]] = {}
    for place in book.places:
        by_file.setdefault(place.file, []).append(place)
    told: dict[int, str] = {}  # how often each place is said to run, in the order of reading
    places: dict[int, Place] = {}
    for finding in ordered:
        for place in by_file.get(finding["filename"], ()):
            if _overlaps(finding, place):
                places.setdefault(id(place), place)
                told.setdefault(id(place), (finding.get("context") or {}).get("runs") or "")
    known = [place for place in places.values() if place.waits is not None]
    worth = [place for place in book.places if place.worth]
    first = list(places.values())[:_FIRST]
    phased = [(place, told[key]) for key, place in places.items() if told[key]]
    return RepositoryResult(
        book.repository,
        true=Share(sum(bool(place.waits) for place in known), len(known)),
        useful=Share(sum(place.worth for place in places.values()), len(places)),
        worth_found=Share(sum(id(place) in places for place in worth), len(worth)),
        first_ten=Share(sum(place.worth for place in first), len(first)),
        top_found=_top_found(book, ordered),
        phases=Share(sum(_ALIKE.get(runs) == _ALIKE[place.runs] for place, runs in phased), len(phased)),
    )


def _top_found(book: Book, ordered: Sequence[Reported]) -> Share:
    """Of the places that should come first, those among the first statements reported, labelled or not."""
    first = list(dict.fromkeys((finding["filename"], finding["location"]["row"]) for finding in ordered))[:_FIRST]
    last_lines = {(place.file, place.lines.first): place.lines.last for place in book.places}
    count = sum(
        any(path == file and line <= row <= last_lines.get((file, line), line) for path, row in first)
        for file, line in book.first
    )
    return Share(count, min(_FIRST, len(book.first)))


def _overlaps(finding: Reported, place: Place) -> bool:
    first: int = finding["location"]["row"]
    end: Reported = finding.get("end_location") or finding["location"]
    last: int = end["row"]
    return first <= place.lines.last and place.lines.first <= last
