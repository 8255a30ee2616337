"""What is at the paths that a result rests on: it holds while all of them are as they were."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from synclint.files.real_paths import real_path

_ABSENT, _DIRECTORY, _OTHER, _LARGE = "absent", "directory", "other", "large"
# No run depends on all of a file that is larger than this.
_LARGEST_BYTES = 64 * 2**20


def surroundings(roots: Iterable[Path], files: Iterable[Path]) -> Iterator[Path]:
    """The paths that decide which folders modules are looked up in."""
    yield from (folder / "src" for root in roots for folder in (real_path(root), real_path(root).parent))
    starts = {real_path(root) for root in roots} | {real_path(path).parent for path in files}
    seen: set[Path] = set()
    for start in starts:
        for folder in (start, *start.parents):
            if folder in seen:
                break
            seen.add(folder)
            yield folder / "__init__.py"
            if folder != start and not (folder / "__init__.py").is_file():
                break


def state_of(path: Path) -> tuple[str, int]:
    """What is at a path, as a word or a hash, and when it was last changed in nanoseconds."""
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            return _DIRECTORY, found.st_ctime_ns
        if not stat.S_ISREG(found.st_mode):
            return _OTHER, found.st_ctime_ns
        if found.st_size > _LARGEST_BYTES:
            return _LARGE, found.st_ctime_ns
        changed = max(found.st_mtime_ns, found.st_ctime_ns) if os.name == "nt" else found.st_ctime_ns
        return hashlib.sha256(path.read_bytes()).hexdigest(), changed
    except (OSError, ValueError):
        return _ABSENT, 0


@dataclass
class PathStates:
    """What is at paths, looked at once each."""

    _known: dict[Path, tuple[str, str, int]] = field(default_factory=dict)

    def now(self, path: Path) -> str:
        """What is at a path, as a word or a hash."""
        return self._at(path)[1]

    def since(self, paths: Iterable[Path], started: int) -> dict[str, str] | None:
        """What is at each path; None when any of it has changed since ``started``, as a run may not have seen it.

        None, too, where something is so large that it would take too long to say.
        """
        states: dict[str, str] = {}
        for path in paths:
            where, state, changed = self._at(path.absolute())
            if state == _LARGE or (changed >= started and state != _DIRECTORY):
                return None
            states[where] = state
        return states

    def _at(self, path: Path) -> tuple[str, str, int]:
        known = self._known.get(path)
        if known is None:
            state, changed = state_of(path)
            where = path
            if state == _ABSENT:
                where = _first_absent(path)
                changed = state_of(where.parent)[1]
            known = self._known[path] = str(where), state, changed
        return known


def _first_absent(path: Path) -> Path:
    """The folder that would have to be made first for ``path`` to be there, or ``path`` itself."""
    while not path.parent.exists() and path.parent != path:
        path = path.parent
    return path
