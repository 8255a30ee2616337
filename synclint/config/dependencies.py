"""Which releases of its libraries a project uses, as far as its lock files and requirements tell."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synclint.config.files import overlong_key
from synclint.files.bounded_files import read_at_most

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# Lock files grow to megabytes, which a TOML parser takes a second for; these two lines stand together in
# the locks of uv, Poetry and PDM and in PEP 751's.
_LOCKED = re.compile(r'^name = "([^"\n]+)"\r?\nversion = "([^"\n]+)"', re.MULTILINE)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#)@]*)")
_SPECIFIER = re.compile(r"(===?|~=|<=?|\^|~|)\s*v?([0-9]+(?:\.[0-9]+)*)")

# Python refuses to read a number of thousands of digits.
_LONG_NUMBER = re.compile(r"\d{10}")


@dataclass(frozen=True)
class KnownRelease:
    """A release in use, and the file that says so."""

    version: str
    file: Path


Releases = Mapping[str, KnownRelease]


def known_releases(folder: Path, warn: Callable[[str], None] = lambda warning: None) -> dict[str, KnownRelease]:
    """What the files in ``folder`` say, by the normalized names of the libraries.

    A lock file is believed before a requirement. Files that cannot be read or understood say nothing. ``warn`` is
    told what was passed over because no such file has it: numbers of thousands of digits, and gigabytes.
    """
    releases: dict[str, KnownRelease] = {}
    for pattern, read, most in _FILES:
        for path in _matching(folder, pattern):
            stated = read(_text(path, most, warn))
            for name, version in _highest(_sensible(stated, path, warn)).items():
                releases.setdefault(name, KnownRelease(version, path))
    return releases


def _matching(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:  # whoever searches the folder for files tells why
        return []


def _text(path: Path, most: int, warn: Callable[[str], None]) -> str:
    try:
        if not path.is_file():
            return ""
        return read_at_most(path, most, "a lock file or a list of requirements").decode("utf-8", "replace")
    except OSError as error:
        if error.errno == errno.EFBIG:
            warn(f"{path}: not read: {error.strerror}")
        return ""


def _sensible(stated: Iterable[tuple[str, str]], path: Path, warn: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """Names and releases without those whose numbers are longer than any number of a release."""
    for name, version in stated:
        if _LONG_NUMBER.search(version):
            warn(f"{path}: the release of {name[:60]} is passed over: it has a number of more than nine digits")
        else:
            yield name, version


def _highest(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One release of each library: a lock may hold several, for different platforms."""
    highest: dict[str, str] = {}
    for name, version in pairs:
        normal = re.sub(r"[-_.]+", "-", name).lower()
        if normal not in highest or _numbers(version) > _numbers(highest[normal]):
            highest[normal] = version
    return highest


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))


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
    if overlong_key(text) is not None:
        return
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
    if any(map(_LONG_NUMBER.search, numbers)):
        return ".".join(numbers)  # which nobody will believe
    while numbers and int(numbers[-1]) == 0:
        numbers.pop()
    if len(numbers) < 2:
        return None
    return ".".join([*numbers[:-1], str(int(numbers[-1]) - 1)])


# Which files, how they are read, and how many bytes they may have: locks grow to megabytes.
_LOCK_BYTES, _REQUIREMENT_BYTES = 64 * 2**20, 2**20
_FILES: tuple[tuple[str, Callable[[str], Iterator[tuple[str, str]]], int], ...] = (
    ("uv.lock", _from_lock, _LOCK_BYTES),
    ("poetry.lock", _from_lock, _LOCK_BYTES),
    ("pdm.lock", _from_lock, _LOCK_BYTES),
    ("pylock.toml", _from_lock, _LOCK_BYTES),
    ("requirements*.txt", _from_requirements, _REQUIREMENT_BYTES),
    ("requirements/*.txt", _from_requirements, _REQUIREMENT_BYTES),
    ("pyproject.toml", _from_pyproject, _REQUIREMENT_BYTES),
)
