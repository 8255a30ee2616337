"""The files that are measured on: those of a directory, or of an installed package."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

from synclint.discovery import discover
from synclint.sources import UnreadableSourceError, read_source


class CorpusError(Exception):
    """A corpus that cannot be used; one sentence for the user."""


@dataclass(frozen=True)
class Corpus:
    """The Python files below ``folder``; ``name`` is what tables call it and tells nothing of the machine."""

    name: str
    folder: Path
    files: int
    lines: int
    megabytes: float


def python_files(folder: Path) -> list[Path]:
    """The Python modules that synclint would check below a directory."""
    return [path for path in discover([folder]).files if path.suffix == ".py"]


def sources(folder: Path) -> list[str]:
    """The texts of a corpus, without the files that are no text."""
    found = []
    for path in python_files(folder):
        with suppress(UnreadableSourceError):
            found.append(read_source(path))
    return found


def corpus(named: str) -> Corpus:
    """The corpus that a user named: a directory, or a package that is installed; raises CorpusError."""
    folder, name = _located(named)
    texts = sources(folder)
    if not texts:
        raise CorpusError(f"{named}: holds no Python files")
    return Corpus(
        name,
        folder,
        files=len(texts),
        lines=sum(text.count("\n") for text in texts),
        megabytes=round(sum(len(text.encode("utf-8", "replace")) for text in texts) / 1e6, 2),
    )


def _located(named: str) -> tuple[Path, str]:
    if Path(named).is_dir():
        return Path(named), Path(named).resolve().name
    try:
        spec = find_spec(named)
    except (ImportError, ValueError):
        spec = None
    places: Sequence[str] = (spec.submodule_search_locations or ()) if spec else ()
    if not places:
        raise CorpusError(f"{named}: neither a directory nor an installed package")
    return Path(places[0]), f"{named} {_release(named)}".strip()


def _release(package: str) -> str:
    try:
        return version(packages_distributions().get(package, [package])[0])
    except PackageNotFoundError:
        return ""
