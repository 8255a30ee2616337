"""Which releases of its libraries a project uses, as far as its lock files and requirements tell."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# Lock files grow to megabytes, which a TOML parser takes a second for; these two lines stand together in
# the locks of uv, Poetry and PDM and in PEP 751's.
_LOCKED = re.compile(r'^name = "([^"\n]+)"\r?\nversion = "([^"\n]+)"', re.MULTILINE)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#)@]*)")
_SPECIFIER = re.compile(r"(===?|~=|<=?|\^|~|)\s*v?([0-9]+(?:\.[0-9]+)*)")


@dataclass(frozen=True)
class KnownRelease:
    """A release in use, and the file that says so."""

    version: str
    file: Path


Releases = Mapping[str, KnownRelease]


def known_releases(folder: Path) -> dict[str, KnownRelease]:
    """What the files in ``folder`` say, by the normalized names of the libraries.

    A lock file is believed before a requirement. Files that cannot be read or understood say nothing.
    """
    releases: dict[str, KnownRelease] = {}
    for pattern, read in _FILES:
        for path in _matching(folder, pattern):
            for name, version in _highest(read(_text(path))).items():
                releases.setdefault(name, KnownRelease(version, path))
    return releases


def _matching(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:  # whoever searches the folder for files tells why
        return []


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    except OSError:
        return ""


def _highest(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One release of each library: a lock may hold several, for different platforms."""
    highest: dict[str, str] = {}
    for name, version in pairs:
        normal = re.sub(r"[-_.]+", "-", name).lower()
        if normal not in highest or _numbers(version) > _numbers(highest[normal]):
            highest[normal] = version
    return highest


def _numbers(version: str) -> tuple[int, ...]:
    # No release has numbers as long as this, and Python refuses to read one of thousands of digits.
    return tuple(int(part[:9]) for part in re.findall(r"\d+", version.partition("+")[0]))


def _from_lock(text: str) -> Iterator[tuple[str, str]]:
    yield from ((name, version) for name, version in _LOCKED.findall(text) if version[0].isdigit())


def _from_requirements(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if not line.lstrip().startswith(("#", "-")):
            yield from _from_requirement(line.partition(" --")[0])


def _from_requirement(text: str) -> Iterator[tuple[str, str]]:
    found = _REQUIREMENT.match(text)
    if found:
        version = release_allowed(found[2])
        if version:
            yield found[1], version


def _from_pyproject(text: str) -> Iterator[tuple[str, str]]:
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    project = _table(document, "project")
    groups: list[object] = [project.get("dependencies")]
    groups += _table(project, "optional-dependencies").values()
    groups += _table(document, "dependency-groups").values()
    for group in groups:
        for requirement in group if isinstance(group, list) else ():
            if isinstance(requirement, str):
                yield from _from_requirement(requirement)
    for name, value in _table(_table(_table(document, "tool"), "poetry"), "dependencies").items():
        specifier = value.get("version") if isinstance(value, dict) else value
        version = release_allowed(specifier) if isinstance(specifier, str) else None
        if version:
            yield name, version


def _table(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def release_allowed(specifiers: str) -> str | None:
    """The release that specifiers such as ``==2.6.*`` or ``>=2.4,<2.7`` lead to.

    None where that is the newest there is, or cannot be told: without an upper bound, or with one before
    the first minor release of a major one.
    """
    for specifier in specifiers.split(","):
        bare = specifier.strip()
        found = _SPECIFIER.match(bare)
        # What may follow the numbers, such as `.*` or `rc1`, has no spaces.
        if found is None or any(map(str.isspace, bare[found.end() :])):
            continue
        operator, numbers = found[1], found[2].split(".")
        if operator in ("==", "===", "<=", "") or (operator == "~" and len(numbers) > 1):
            return ".".join(numbers)
        if operator == "~=" and len(numbers) > 2:
            return ".".join(numbers[:-1])
        if operator == "<":
            below = _before(numbers)
            if below:
                return below
    return None


def _before(numbers: list[str]) -> str | None:
    while numbers and int(numbers[-1]) == 0:
        numbers = numbers[:-1]
    if len(numbers) < 2:
        return None
    return ".".join([*numbers[:-1], str(int(numbers[-1]) - 1)])


_FILES: tuple[tuple[str, Callable[[str], Iterator[tuple[str, str]]]], ...] = (
    ("uv.lock", _from_lock),
    ("poetry.lock", _from_lock),
    ("pdm.lock", _from_lock),
    ("pylock.toml", _from_lock),
    ("requirements*.txt", _from_requirements),
    ("requirements/*.txt", _from_requirements),
    ("pyproject.toml", _from_pyproject),
)
