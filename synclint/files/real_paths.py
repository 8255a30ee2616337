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

    _folders: dict[Path, Path] = field(default_factory=dict)
    _known: dict[Path, Path] = field(default_factory=dict)

    def of(self, path: Path) -> Path:
        """What ``real_path`` gives for a path that names a file."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._resolved(path)
        return known

    def _resolved(self, path: Path) -> Path:
        folder = path.parent
        if folder not in self._folders:
            self._folders[folder] = real_path(folder)
        real = self._folders[folder] / path.name
        return real_path(real) if real.is_symlink() else real
