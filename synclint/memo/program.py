"""What does the checking: with another program, or another Python, results that were kept no longer hold."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from synclint.plugins.discovery import offers
from synclint.rules.loading import rules_folder
from synclint.version import __version__

_SUFFIXES = (".py", ".json")
_LEFT_OUT = frozenset({"__pycache__", "verify"})
# None of these is imported to ask for it. Each says its release in one of these files.
_PARSERS = ("libcst", "docutils", "markdown_it")
_RELEASE_FILES = ("__init__.py", "_version.py")


@cache
def this_program() -> str:
    """A text that is another one for every other program, Python, or parser."""
    files = fingerprint([(Path(__file__).parents[1], _SUFFIXES), (rules_folder(), (".toml",))])
    return json.dumps([__version__, files, _added(), sys.version, *_releases()])


def _added() -> list[list[str]]:
    """The packages that offer rules; the code of their matchers may import anything of its own package."""
    return [
        [offer.package, fingerprint([(offer.folder, (".toml", ".py")), (offer.home / offer.top, _SUFFIXES)])]
        for offer in offers()
    ]


def fingerprint(folders: Iterable[tuple[Path, tuple[str, ...]]]) -> str:
    """A hash of the files with these endings in these folders, without what only ``--verify`` uses.

    The cases of rules are left out, too.
    """
    digest = hashlib.sha256()
    for folder, suffixes in folders:
        for name in sorted(_files(str(folder), suffixes)):
            data = Path(name).read_bytes()
            digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            digest.update(data)
    return digest.hexdigest()


def _files(folder: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _LEFT_OUT and not name.startswith("SYN")]
        yield from (f"{parent}{os.sep}{name}" for name in names if name.endswith(suffixes))


def _releases() -> Iterator[str]:
    for name in _PARSERS:
        found = find_spec(name)
        if found is not None and found.origin is not None:
            for release in _RELEASE_FILES:
                yield _hash(Path(found.origin).with_name(release))


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
