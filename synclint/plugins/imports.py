"""What the code of installed packages may import while it runs: nothing of what is checked."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from synclint.files.real_paths import real_path
from synclint.plugins.discovery import Offer, installation_folders
from synclint.plugins.loading import rule_folders


def offer_of(folder: Path | None) -> Offer:
    """The offer of an installed package that the folder of a rule belongs to."""
    return next(one.offer for one in rule_folders() if one.path == folder)


@contextmanager
def only_installed(offer: Offer) -> Iterator[None]:
    """Let imports find nothing in the working directory, and the modules of the package where it is installed.

    ``python -m synclint`` puts the working directory on the path, ``PYTHONPATH`` may name a folder below it: what is
    checked would be imported.
    """
    path, finder = sys.path[:], _OwnModules(offer)
    sys.path[:] = [entry for entry in path if not _is_checked(entry)]
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.path[:] = path
        sys.meta_path.remove(finder)


def _is_checked(entry: str) -> bool:
    """Whether an entry of the path is the working directory or a folder in it, where nothing is installed."""
    found = real_path(Path(entry or "."))
    if not found.is_relative_to(real_path(Path())):
        return False
    installed = (sys.prefix, sys.exec_prefix, sys.base_prefix, *installation_folders())
    return not any(found.is_relative_to(real_path(Path(folder))) for folder in installed)


class _OwnModules:
    """Finds the package of an offer in the folder that it was installed into, wherever else one of its name lies."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """The spec of the package itself; what is in it is found by way of that."""
        return PathFinder.find_spec(name, [str(self._offer.home)]) if name == self._offer.top else None
