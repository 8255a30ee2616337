"""Finds the installed packages that offer rules, without importing any of them.

Code is taken from installed packages only. The folders that are searched are those into which Python's own installers
write, not those that ``python -m`` or ``PYTHONPATH`` put on the path: what lies in a checked repository is never
looked at. ``importlib.metadata`` takes longer to import than the search takes, and is imported where something is
found.
"""

from __future__ import annotations

import json
import os
import re
import site
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, PathDistribution

GROUP = "synclint.rules"

_METADATA = ".dist-info"
_ENTRY_POINTS = "entry_points.txt"
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_SAME = re.compile(r"[-_.]+")


class PluginError(ValueError):
    """Something is wrong with a package that offers rules; the message names the package and says what, in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


def rules_of(package: str) -> str:
    """How a message names what a package offers."""
    return f"the rules of the package {package!r}"


@dataclass(frozen=True)
class Offer:
    """What an installed package offers: the ``folder`` of its rules, which belongs to the package ``module``.

    ``home`` is the folder that ``module`` is imported from.
    """

    package: str
    module: str
    folder: Path
    home: Path

    @property
    def top(self) -> str:
        """The name of the package that all of its code belongs to."""
        return self.module.partition(".")[0]


@cache
def offers() -> tuple[Offer, ...]:
    """What is offered by the packages that are installed for this Python, in the order of their names.

    Raises PluginError for a package whose offer is not there or not understood.
    """
    return offers_in(installation_folders())


def offers_in(folders: Sequence[str]) -> tuple[Offer, ...]:
    """The same for the packages in some folders; of two with one name the first counts, as in an import."""
    found: dict[str, tuple[Offer, ...]] = {}
    for folder in folders:
        for path in _with_rules(folder):
            distribution = _distribution(path)
            name = str(distribution.metadata["Name"] or path.name.removesuffix(_METADATA).partition("-")[0])
            found.setdefault(_SAME.sub("-", name).lower(), tuple(_offered(name, path, distribution)))
    return tuple(offer for _, offered in sorted(found.items()) for offer in offered)


def installation_folders() -> list[str]:
    """The folders into which packages are installed for this Python, the user's own last."""
    folders = list(site.getsitepackages())
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    return list(dict.fromkeys(folders))


def _with_rules(folder: str) -> Iterator[Path]:
    """The metadata of the packages in a folder that name our group; nothing else of them is read."""
    with suppress(OSError):
        with os.scandir(folder) as entries:
            paths = sorted(entry.path for entry in entries if entry.name.endswith(_METADATA))
        for path in paths:
            if _names_group(f"{path}{os.sep}{_ENTRY_POINTS}"):  # a Path takes as long as reading the file
                yield Path(path)


def _names_group(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return GROUP.encode() in file.read()
    except OSError:
        return False


def _distribution(path: Path) -> PathDistribution:
    from importlib.metadata import PathDistribution

    return PathDistribution(path)


def _offered(name: str, path: Path, distribution: PathDistribution) -> Iterator[Offer]:
    try:
        points = sorted(point for point in distribution.entry_points if point.group == GROUP)
    except (ValueError, TypeError, AttributeError) as error:
        raise PluginError(f"{rules_of(name)}: {path / _ENTRY_POINTS} cannot be read: {error}") from None
    yield from (_offer(name, point, path, distribution) for point in points)


def _offer(name: str, point: EntryPoint, path: Path, distribution: PathDistribution) -> Offer:
    module = point.value.strip()
    if not _MODULE.fullmatch(module):
        raise PluginError(f"{rules_of(name)}: entry point {point.name!r} must name a package, not {point.value!r}")
    below = Path(*module.split("."))
    for home in (path.parent, *_sources_of(distribution)):
        if (home / below).is_dir():
            return Offer(name, module, home / below, home)
    raise PluginError(f"{rules_of(name)}: entry point {point.name!r} names {module!r}, which does not exist")


def _sources_of(distribution: PathDistribution) -> Iterator[Path]:
    """Where the sources of a package lie that its developer has installed in place (``pip install --editable``)."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        said: Any = json.loads(distribution.read_text("direct_url.json") or "{}")
        url = urlsplit(said["url"])
        is_editable = said["dir_info"]["editable"] is True and url.scheme == "file"
    except (KeyError, TypeError, ValueError):
        return
    if is_editable:
        folder = Path(url2pathname(url.path))
        yield from (folder, folder / "src")
