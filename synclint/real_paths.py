"""Paths without symbolic links."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class RealPaths:
    """Resolves paths of which many lie in the same folders: each folder is resolved once."""

    _folders: dict[Path, Path] = field(default_factory=dict)

    def of(self, path: Path) -> Path:
        """What ``path.resolve()`` gives for a path that names a file."""
        folder = path.parent
        if folder not in self._folders:
            self._folders[folder] = folder.resolve()
        real = self._folders[folder] / path.name
        return real.resolve() if real.is_symlink() else real
