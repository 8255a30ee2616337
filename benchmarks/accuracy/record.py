"""The last measurement, with the commit that it was made of: what pages print comes from here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.accuracy.packages import Judged, PackageResult, Recalled
from benchmarks.accuracy.repositories import FIGURES, RepositoryResult, Share

FILE = Path(__file__).parent / "recorded.json"


@dataclass(frozen=True)
class Record:
    """A measurement of the linter at ``commit``, on the day ``date``."""

    commit: str
    date: str
    synclint: str
    python: str
    packages: Sequence[PackageResult]
    repositories: Sequence[RepositoryResult]


def written(record: Record) -> str:
    """A record as a file holds it."""
    return json.dumps(asdict(record), indent=1) + "\n"


def read(path: Path = FILE) -> Record:
    """The record in a file."""
    table = json.loads(path.read_text(encoding="utf-8"))
    return Record(
        table["commit"],
        table["date"],
        table["synclint"],
        table["python"],
        [_package(row) for row in table["packages"]],
        [_repository(row) for row in table["repositories"]],
    )


def _package(row: Mapping[str, Any]) -> PackageResult:
    return PackageResult(
        row["name"],
        row["version"],
        Judged(**row["flagged"]),
        Recalled(**row["waits"]),
        {name: Recalled(**each) for name, each in row["kinds"].items()},
        {name: Judged(**each) for name, each in row["rules"].items()},
        {name: Judged(**each) for name, each in row["levels"].items()},
    )


def _repository(row: Mapping[str, Any]) -> RepositoryResult:
    return RepositoryResult(row["repository"], **{name: Share(**row[name]) for name in FIGURES})
