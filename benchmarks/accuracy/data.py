"""What is known of other people's code: where it waited when it ran, and where readers say that it does.

``truth/*.json`` were recorded by running packages on a simulated device that reports every operation for which CUDA
makes the host wait; ``book.json`` and ``guiding.json`` hold the judgements of readers. All are facts and labels about
public code, none of which is in this repository.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent


class Lines(NamedTuple):
    """The first and the last line of a statement, of a compound one those of its header."""

    first: int
    last: int


@dataclass(frozen=True)
class TruthOfFile:
    """What was seen in a file while uses of its package ran.

    ``waited`` are the statements in which the host waited, and of which kinds. In those of ``not_asked_for`` it waited
    as well, but within ``backward``, in another library, or to copy a module to the device. ``on_device`` are the lines
    that ran on tensors on the device.
    """

    waited: dict[Lines, frozenset[str]]
    not_asked_for: frozenset[Lines]
    on_device: frozenset[int]


@dataclass(frozen=True)
class Truth:
    """What was seen of a released package, by the paths of its files within the wheel."""

    distribution: str
    version: str
    module: str
    files: dict[str, TruthOfFile]


@dataclass(frozen=True)
class Place:
    """A statement that somebody has read.

    ``waits`` is None where the reader could not tell; ``worth`` says whether a maintainer would want to be told of it
    by default.
    """

    file: str
    lines: Lines
    waits: bool | None
    runs: str
    worth: bool
    why: str


@dataclass(frozen=True)
class Book:
    """The places of one repository at a commit, and the few that should come ``first``, as ``file:line``."""

    repository: str
    commit: str
    first: tuple[tuple[str, int], ...]
    places: tuple[Place, ...]


def truths() -> list[Truth]:
    """All packages that were measured, by name."""
    return [_truth(json.loads(path.read_text(encoding="utf-8"))) for path in sorted((FOLDER / "truth").glob("*.json"))]


def books(name: str = "book") -> list[Book]:
    """The repositories that were read: those of the ``book``, or those whose mistakes have been ``guiding`` changes."""
    return [_book(each) for each in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))]


def _truth(table: dict[str, Any]) -> Truth:
    files = {path: _truth_of_file(row) for path, row in table["files"].items()}
    return Truth(table["distribution"], table["version"], table["module"], files)


def _truth_of_file(row: dict[str, Any]) -> TruthOfFile:
    ranges = [(each, each) if isinstance(each, int) else (each[0], each[1]) for each in row.get("on_device", ())]
    return TruthOfFile(
        {Lines(first, last): frozenset(kinds.split()) for first, last, kinds in row.get("waited", ())},
        frozenset(Lines(first, last) for first, last in row.get("not_asked_for", ())),
        frozenset(line for first, last in ranges for line in range(first, last + 1)),
    )


def _book(table: dict[str, Any]) -> Book:
    places = [
        Place(file, Lines(first, last), waits, runs, worth, why)
        for file, rows in table["places"].items()
        for first, last, waits, runs, worth, why in rows
    ]
    first = [text.rpartition(":") for text in table["first"]]
    return Book(
        table["repository"], table["commit"], tuple((file, int(line)) for file, _, line in first), tuple(places)
    )
