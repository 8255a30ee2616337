"""Summaries of the libraries in the user's environment: made of their own sources, once for each release."""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from synclint.catalog.summaries import LibrarySummary, summary_of
from synclint.libraries.environments import Environment, InstalledPackage, environment_of
from synclint.memo.entry_files import Entries, key_of
from synclint.memo.program import this_program

# A library with more Python than this is not analysed: that would take minutes. The shipped summary is used.
MOST_BYTES = 5 * 2**20
# In these, nothing is looked for: what torch does stands in the catalogue, and the others have no torch in them.
_LEFT_OUT = frozenset({"torch", "numpy", "triton"})
# Analysis nests deeply, and threads have small stacks on some systems.
_STACK_BYTES = 64 * 2**20
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([^\W\d]\w*)(?:\.[\w.]*)?[ \t]+import|import[ \t]+(.+))", re.MULTILINE)


class InstalledLibraries:
    """What is known of the libraries in an environment, kept among ``entries`` where there are any."""

    def __init__(self, environment: Environment, entries: Entries | None) -> None:
        self._environment = environment
        self._entries = entries
        self._known: dict[str, LibrarySummary | None] = {}

    def summary_of(self, package: str) -> LibrarySummary | None:
        """What the summary of a package tells: of the release that is installed, or else of the one that was shipped.

        An installed library is analysed if nothing is known of its release.
        """
        if package not in self._known:
            self._known[package] = self._found(package)
        return self._known[package]

    def prepare(self, texts: Iterable[str]) -> None:
        """Make the summaries of what is imported in these texts, before several processes ask for the same ones."""
        for package in sorted({name for text in texts for name in imported(text)}):
            self.summary_of(package)

    def _found(self, package: str) -> LibrarySummary | None:
        shipped = summary_of(package)
        installed = None if package in _LEFT_OUT else self._environment.package(package)
        if installed is None or (shipped is not None and shipped.version == installed.version):
            return shipped
        key = key_of("library", this_program(), package, installed.distribution, installed.version)
        document = self._entries.read(key) if self._entries is not None else None
        if document is None:
            document = _made(installed)
            if document is not None and self._entries is not None:
                self._entries.write({key: document})
        return shipped if document is None else LibrarySummary(document)


@cache
def libraries_in(environment: Environment, entries: Entries | None) -> InstalledLibraries:
    """The libraries of an environment, of which is known in this process what has been asked for before."""
    return InstalledLibraries(environment, entries)


@cache
def environment_at(python: Path) -> Environment:
    """The environment of an interpreter, as it was when it was first asked for."""
    return environment_of(python)


def imported(text: str) -> set[str]:
    """The names of the packages that a text may import."""
    found: set[str] = set()
    for origin, names in _IMPORT.findall(text):
        found.update(
            [origin] if origin else (name.strip().partition(".")[0].split(" ")[0] for name in names.split(","))
        )
    return {name for name in found if name.isidentifier()}


def _made(installed: InstalledPackage) -> dict[str, Any] | None:
    """The summary of a library; None where it is too large, or where something goes wrong."""
    made: list[dict[str, Any]] = []

    def make() -> None:
        # Imported here: a run needs none of this where everything is known.
        from synclint.libraries.analysed import analysed, modules_in
        from synclint.libraries.summarizing import Summarizing

        modules = modules_in(installed.folder)
        if sum(path.stat().st_size for path in modules) > MOST_BYTES:
            return
        name = installed.folder.name
        # Elsewhere, so that no other library in the environment is followed.
        with tempfile.TemporaryDirectory() as temporary:
            root = Path(temporary).resolve()
            copies = [root / name / path.relative_to(installed.folder) for path in modules]
            for path, copy in zip(modules, copies, strict=True):
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())
            summarizing = Summarizing(analysed(root / name, copies), name, str(root))
            made.append(summarizing.summary(installed.distribution, installed.version))

    def run() -> None:
        with suppress(Exception):  # no fault in a library, or of ours with it, may cost the user's run
            make()

    # Of its own, so that what it comes to does not depend on how deeply the caller has nested.
    before = threading.stack_size(_STACK_BYTES)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return made[0] if made else None
