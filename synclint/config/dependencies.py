"""Which releases of its libraries a project uses, as far as its lock files and requirements tell."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
# Without one of these a requirement has no upper bound, and says nothing: `packaging` need not be imported for it.
_BOUND = re.compile(r"(?<![>!=])=|<|~")
# A bare release, which Poetry takes for an exact one.
_BARE = re.compile(r"v?\d[^\s]*\Z")

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
            warn(f"{path}: the release of {name[:60]} is ignored: it has a number of more than nine digits")
        else:
            yield name, version


def _highest(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One release of each library: a lock may hold several, for different platforms."""
    found: dict[str, list[str]] = {}
    for name, version in pairs:
        found.setdefault(re.sub(r"[-_.]+", "-", name).lower(), []).append(version)
    return {name: versions[0] if len(versions) == 1 else _newest(versions) for name, versions in found.items()}


def _newest(versions: Iterable[str]) -> str:
    from packaging.version import InvalidVersion, Version

    def order(text: str) -> Version:
        try:
            return Version(text)
        except InvalidVersion:
            return Version("0")

    return max(versions, key=order)


def _from_lock(text: str) -> Iterator[tuple[str, str]]:
    yield from ((name, version) for name, version in _LOCKED.findall(text) if version[0].isdigit())


def _from_requirements(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if not line.lstrip().startswith(("#", "-")):
            yield from _from_requirement(line.partition(" --")[0])


def _from_requirement(text: str) -> Iterator[tuple[str, str]]:
    if not _BOUND.search(text):
        return
    from packaging.requirements import InvalidRequirement, Requirement

    bare = text.partition(" #")[0].rstrip("\\ \t")
    number = _LONG_NUMBER.search(bare)
    if number:
        yield re.split(r"[^\w.-]", bare.lstrip(), maxsplit=1)[0], number[0]  # which nobody will believe
        return
    try:
        requirement = Requirement(bare)
    except InvalidRequirement:
        return
    version = release_allowed(str(requirement.specifier))
    if version:
        yield requirement.name, version


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
        if isinstance(specifier, str) and _LONG_NUMBER.search(specifier):
            continue
        version = release_allowed(specifier) if isinstance(specifier, str) else None
        if version:
            yield name, version


def _table(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def release_allowed(specifiers: str) -> str | None:
    """The newest release that specifiers such as ``==2.6.*`` or ``>=2.4,<2.7``, or those of Poetry, allow.

    None where that is the newest there is, or cannot be told: without an upper bound, or with one before
    the first minor release of a major one.
    """
    if not (_BOUND.search(specifiers) or _BARE.match(specifiers.strip())):
        return None
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import Version

    try:
        given = SpecifierSet(",".join(map(_standard, specifiers.split(","))))
    except InvalidSpecifier:
        return None
    bounds = [bound for each in given if (bound := _upper_bound(each.operator, each.version))]
    return min(bounds, key=Version, default=None)


def _standard(specifier: str) -> str:
    """A specifier of Poetry's in the words of PEP 440; others as they are.

    `^2.4` has no bound that says anything, `~2.4.1` stays below 2.5, and a bare release is exact.
    """
    bare = specifier.strip().partition("^")[0]
    numbers = bare[1:].strip().split(".") if bare.startswith("~") else []
    if len(numbers) > 1 and all(number.isdecimal() for number in numbers):
        return f"=={numbers[0]}.{numbers[1]}.*"
    return f"=={bare}" if _BARE.match(bare) else bare


def _upper_bound(operator: str, version: str) -> str | None:
    """The newest release that one specifier allows, as far as the numbers tell."""
    from packaging.version import InvalidVersion, Version

    try:
        numbers = Version(version.removesuffix(".*")).release
    except InvalidVersion:  # which `===` allows
        return None
    if operator in ("==", "===", "<="):
        return _joined(numbers)
    if operator == "~=" and len(numbers) > 2:
        return _joined(numbers[:-1])
    return _before(list(numbers)) if operator == "<" else None


def _joined(numbers: Sequence[int]) -> str:
    return ".".join(map(str, numbers))


def _before(numbers: list[int]) -> str | None:
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return _joined([*numbers[:-1], numbers[-1] - 1]) if len(numbers) > 1 else None


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
