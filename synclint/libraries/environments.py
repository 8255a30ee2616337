"""The libraries in a user's Python environment: where they are, and in which releases. Nothing of it is run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from synclint.files.bounded_files import read_at_most

_MOST_BYTES = 2**22
_DISTRIBUTION = re.compile(r"(.+)-([^-]+)\.dist-info")
# What pip and others write of a distribution: the names of its packages, and all of its files.
_TOP_LEVEL, _RECORD = "top_level.txt", "RECORD"


@dataclass(frozen=True)
class InstalledPackage:
    """A package in an environment: its ``folder``, and the name and the release of what brought it there."""

    folder: Path
    distribution: str
    version: str


@dataclass(frozen=True)
class Environment:
    """The folders in which an environment keeps its packages, and the names of the distributions in each of them."""

    folders: tuple[Path, ...]
    distributions: tuple[tuple[str, ...], ...]

    def package(self, name: str) -> InstalledPackage | None:
        """What is imported by a name, None where that is no package of a distribution."""
        for folder, distributions in zip(self.folders, self.distributions, strict=True):
            if (folder / name / "__init__.py").is_file():
                found = next(_bringing(name, folder, distributions), None)
                return None if found is None else InstalledPackage(folder / name, *found)
        return None


def environment_of(python: Path) -> Environment:
    """The environment of an interpreter, or the one in a folder. One that is not there has no packages."""
    # The interpreter of a virtual environment is a link to another one: where it stands decides.
    home = python if python.is_dir() else python.parent.parent
    folders = tuple(dict.fromkeys(_folders(home, python.name)))
    return Environment(folders, tuple(map(_distributions, folders)))


def _folders(home: Path, interpreter: str) -> Iterator[Path]:
    configured = dict(_configured(home / "pyvenv.cfg"))
    release = re.match(r"\d+\.\d+", configured.get("version_info") or configured.get("version") or "")
    named = re.search(r"python(\d+\.\d+)", interpreter)
    wanted = release.group() if release else named.group(1) if named else "3.*"
    for pattern in (
        f"lib/python{wanted}/site-packages",
        f"lib64/python{wanted}/site-packages",
        "Lib/site-packages",
        f"lib/python{wanted}/dist-packages",
        "lib/python3/dist-packages",
    ):
        yield from (folder for folder in sorted(home.glob(pattern)) if folder.is_dir())
    if configured.get("include-system-site-packages", "").lower() == "true" and "home" in configured:
        base = Path(configured["home"])
        yield from _folders(base.parent if base.name in ("bin", "Scripts") else base, f"python{wanted}")


def _configured(path: Path) -> Iterator[tuple[str, str]]:
    """The keys and values of a ``pyvenv.cfg``. Source: Lib/site.py."""
    for line in _lines(path):
        key, separator, value = line.partition("=")
        if separator:
            yield key.strip().lower(), value.strip()


def _distributions(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(one.name for one in folder.iterdir() if _DISTRIBUTION.fullmatch(one.name)))
    except OSError:
        return ()


def _bringing(package: str, folder: Path, distributions: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The distributions that brought a package, those of its name first."""
    matches = [match for name in distributions if (match := _DISTRIBUTION.fullmatch(name))]
    by_name = [match for match in matches if _plain(match.group(1)) == _plain(package)]
    for match in by_name:
        yield match.group(1), match.group(2)
    for match in matches:
        if package in map(str.strip, _lines(folder / match.group() / _TOP_LEVEL)):
            yield match.group(1), match.group(2)
    for match in matches:
        if any(line.startswith(f"{package}/__init__.py,") for line in _lines(folder / match.group() / _RECORD)):
            yield match.group(1), match.group(2)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _lines(path: Path) -> list[str]:
    try:
        return read_at_most(path, _MOST_BYTES, "a list").decode("utf-8", "replace").splitlines()
    except OSError:
        return []
