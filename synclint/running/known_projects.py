"""Projects that were checked as a whole: there the callers of a file are known that is named by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from synclint.files.real_paths import real_path
from synclint.memo.entry_files import Entries, key_of

# For each working directory the latest runs over whole directories are known, by what was named in them.
_MOST_KNOWN = 8


@dataclass(frozen=True)
class KnownProjects:
    """The projects that runs from the current directory have checked as a whole, the latest first."""

    entries: Entries

    def note(self, roots: Sequence[Path]) -> None:
        """Remember the paths that were named in a run over a whole project."""
        named = sorted({str(root) for root in roots})
        known = self._known()
        if known[:1] != [named]:
            self.entries.write({self._key: {"roots": [named, *(old for old in known if old != named)][:_MOST_KNOWN]}})

    def around(self, files: Iterable[Path]) -> tuple[Path, ...] | None:
        """What was named in the latest run over a project with all of these files (resolved); None where none had."""
        files = tuple(files)
        for named in self._known():
            roots = tuple(map(Path, named))
            folders = [real_path(root) for root in roots]
            if all(root.is_dir() for root in roots) and all(
                any(file.is_relative_to(folder) for folder in folders) for file in files
            ):
                return roots
        return None

    @property
    def _key(self) -> str:
        return key_of("projects", str(Path.cwd()))

    def _known(self) -> list[list[str]]:
        values = self.entries.read(self._key)
        listed = values.get("roots") if values is not None else None
        if not isinstance(listed, list):
            return []
        return [each for each in listed if isinstance(each, list) and all(isinstance(root, str) for root in each)]
