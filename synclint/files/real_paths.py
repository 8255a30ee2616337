"""Paths without symbolic links."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


def real_path(path: Path) -> Path:
    """A path without links. Where they lead in a circle it is left as it is; ``Path.resolve`` would raise there."""
    return Path(os.path.realpath(path))


@dataclass
class RealPaths:
    """Resolves paths that are asked for again, and many of which lie in the same folders: each of them once."""

    _folders: dict[str, str] = field(default_factory=dict)
    _known: dict[Path, Path] = field(default_factory=dict)

    def of(self, path: Path) -> Path:
        """What ``real_path`` gives for a path that names a file."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = Path(self.spelled(str(path)))
        return known

    def spelled(self, path: str) -> str:
        """The same for the text of a path; nothing but its folder is remembered."""
        folder, name = os.path.split(path)
        if name in ("", "..", "."):
            return os.path.realpath(path)
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = os.path.realpath(folder)
        real = os.path.join(known, name)
        return os.path.realpath(real) if os.path.islink(real) else real
