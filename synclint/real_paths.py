"""Paths without symbolic links."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class RealPaths:
    """Resolves paths that are asked for again, and many of which lie in the same folders: each of them once."""

    _folders: dict[Path, Path] = field(default_factory=dict)
    _known: dict[Path, Path] = field(default_factory=dict)

    def of(self, path: Path) -> Path:
        """What ``path.resolve()`` gives for a path that names a file."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._resolved(path)
        return known

    def _resolved(self, path: Path) -> Path:
        folder = path.parent
        if folder not in self._folders:
            self._folders[folder] = folder.resolve()
        real = self._folders[folder] / path.name
        return real.resolve() if real.is_symlink() else real
