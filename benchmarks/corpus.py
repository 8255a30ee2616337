"""The files that are measured on, copied to a place where every program finds them and nothing else."""

from __future__ import annotations

import re
import shutil
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distributions, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

from synclint.running.discovery import discover
from synclint.sources.decoding import UnreadableSourceError, read_source

_TESTS = frozenset({"test", "tests", "idle_test"})
_PACKAGES = frozenset({"site-packages", "dist-packages"})
_NEEDS_TORCH = re.compile(r"torch(?![\w.-])(?!.*\bextra\b)", re.IGNORECASE)
_NOT_GENERAL = frozenset({"torch", "synclint"})


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

    @property
    def is_general(self) -> bool:
        """Whether it is Python code of all kinds, most of which has nothing to do with torch."""
        return self.name in GENERAL


@dataclass(frozen=True)
class Placed:
    """A file, and where a corpus has it."""

    path: Path
    place: Path


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


def corpus(named: str, into: Path) -> Corpus:
    """Copy what a user named into a directory: one of ``GENERAL``, a directory, or an installed package.

    Raises CorpusError for what is none of these, and for what holds no Python files.
    """
    if named in GENERAL:
        return _copied(named, [file for part in GENERAL[named] for file in part()], into / named)
    name, folder = _located(named)
    files = [Placed(path, path.relative_to(folder)) for path in python_files(folder)]
    return _copied(name, files, into / folder.resolve().name)


def standard_library() -> Iterator[Placed]:
    """The modules that come with the running Python, without its tests."""
    folder = Path(sysconfig.get_path("stdlib"))
    for path in folder.rglob("*.py"):
        place = path.relative_to(folder)
        if not (_TESTS | _PACKAGES).intersection(place.parts):
            yield Placed(path, "library" / place)


def packages_without_torch() -> Iterator[Placed]:
    """What is installed beside it, without tests and without what needs torch."""
    for distribution in distributions():
        if not _is_about_torch(distribution):
            for file in distribution.files or ():
                path = Path(str(file.locate()))
                if file.suffix == ".py" and not {"..", *_TESTS}.intersection(file.parts) and path.is_file():
                    yield Placed(path, Path("packages", *file.parts))


# What a user can name beside directories and packages.
GENERAL: Mapping[str, tuple[Callable[[], Iterator[Placed]], ...]] = {
    "stdlib": (standard_library,),
    "general": (standard_library, packages_without_torch),
}


def copies(original: Corpus, lines: int, into: Path) -> Corpus:
    """Copies of a corpus until there are so many lines, each with a package name of its own."""
    package = original.folder.name
    count = -(-lines // max(original.lines, 1))
    spelled = re.compile(rb"\b%s\b" % re.escape(package.encode()))
    for number in range(count):
        name = f"{package}_{number}"
        for path in python_files(original.folder):
            place = into / name / path.relative_to(original.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(spelled.sub(name.encode(), path.read_bytes()))
    return _counted(f"{original.name}, {count} times", into)


def _copied(name: str, files: Sequence[Placed], folder: Path) -> Corpus:
    if not files:
        raise CorpusError(f"{name}: holds no Python files")
    for file in files:
        place = folder / file.place
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file.path, place)
    return _counted(name, folder)


def _counted(name: str, folder: Path) -> Corpus:
    texts = sources(folder)
    return Corpus(
        name,
        folder,
        files=len(texts),
        lines=sum(text.count("\n") for text in texts),
        megabytes=round(sum(len(text.encode("utf-8", "replace")) for text in texts) / 1e6, 2),
    )


def _located(named: str) -> tuple[str, Path]:
    if Path(named).is_dir():
        return Path(named).resolve().name, Path(named)
    try:
        spec = find_spec(named)
    except (ImportError, ValueError):
        spec = None
    places: Sequence[str] = (spec.submodule_search_locations or ()) if spec else ()
    if not places:
        raise CorpusError(f"{named}: neither a directory nor an installed package, nor one of {', '.join(GENERAL)}")
    return f"{named} {_release(named)}".strip(), Path(places[0])


def _release(package: str) -> str:
    try:
        return version(packages_distributions().get(package, [package])[0])
    except PackageNotFoundError:
        return ""


def _is_about_torch(distribution: Distribution) -> bool:
    name = distribution.metadata["Name"]
    return name in _NOT_GENERAL or any(map(_NEEDS_TORCH.match, distribution.requires or ()))
