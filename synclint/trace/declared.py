"""Within which sync-free function a wait happened: by the lines of its stack, and what the files say of these."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from synclint.config.configurations import Configurations
from synclint.config.files import ConfigurationError
from synclint.contracts.declared import contracts_in, file_of
from synclint.contracts.marks import may_hold_contracts
from synclint.files.real_paths import real_path
from synclint.sources.decoding import UnreadableSourceError, read_source
from synclint.trace.own_regions import OwnRegions
from synclint.trace.records import CodeLine

# The first and the last line of a function, and its name.
_Declared = tuple[int, int, str]


class DeclaredFunctions:
    """The functions that are declared sync-free in files that ran; ``folder`` is where the run takes its settings from.

    Each file is read when a wait is first seen in it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._regions = OwnRegions(folder)
        self._by_file: dict[str, tuple[_Declared, ...]] = {}

    def around(self, stack: Sequence[CodeLine]) -> str:
        """The innermost function on a stack, from the outside in, that is declared sync-free; empty without one.

        Also where a region of the project's own accepts what waits there.
        """
        if self._regions.accept(stack):
            return ""
        for place in reversed(stack):
            for first, last, name in self._in_file(place.file):
                if first <= place.line <= last and name.rpartition(".")[2] == place.function:
                    return name
        return ""

    def _in_file(self, file: str) -> tuple[_Declared, ...]:
        if file not in self._by_file:
            self._by_file[file] = self._read(Path(file)) if file.endswith(".py") else ()
        return self._by_file[file]

    def _read(self, path: Path) -> tuple[_Declared, ...]:
        real = real_path(path)
        names = self._named.get(real, ())
        try:
            source = read_source(path)
        except UnreadableSourceError:
            return ()
        if not names and not may_hold_contracts(source.encode("utf-8", "replace")):
            return ()
        return tuple((one.line, one.last_line, one.function) for one in contracts_in(path, real, source, names))

    @cached_property
    def _named(self) -> dict[Path, list[str]]:
        """The functions that the configuration names, by their files; a wrong one is told of by the linter."""
        try:
            names = Configurations().of(self._folder).options.sync_free
        except ConfigurationError:
            return {}
        found: dict[Path, list[str]] = {}
        for name in names:
            path = file_of(name)
            if path is not None:
                found.setdefault(real_path(path), []).append(name.function)
        return found
