"""What is at the paths that a result rests on: it holds while all of them are as they were."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from synclint.files.listings import listed_at
from synclint.files.real_paths import RealPaths, real_path

_ABSENT, _DIRECTORY, _OTHER, _LARGE = "absent", "directory", "other", "large"
# No run depends on all of a file that is larger than this.
_LARGEST_BYTES = 64 * 2**20


def surroundings(roots: Iterable[Path], files: Iterable[str], paths: RealPaths) -> Iterator[str]:
    """The paths that decide which folders modules are looked up in."""
    yield from (str(folder / "src") for root in roots for folder in (real_path(root), real_path(root).parent))
    folders = {os.path.dirname(paths.spelled(path)) for path in files}
    starts = {real_path(root) for root in roots} | set(map(Path, folders))
    seen: set[Path] = set()
    for start in starts:
        for folder in (start, *start.parents):
            if folder in seen:
                break
            seen.add(folder)
            yield str(folder / "__init__.py")
            if folder != start and not (folder / "__init__.py").is_file():
                break


def state_of(path: str) -> tuple[str, int]:
    """What is at a path, as a word or a hash, and when it was last changed in nanoseconds."""
    try:
        if (names := listed_at(path)) is not None:
            return hashlib.sha256("\0".join(names).encode(errors="surrogateescape")).hexdigest(), 0
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            return _DIRECTORY, found.st_ctime_ns
        if not stat.S_ISREG(found.st_mode):
            return _OTHER, found.st_ctime_ns
        if found.st_size > _LARGEST_BYTES:
            return _LARGE, found.st_ctime_ns
        changed = max(found.st_mtime_ns, found.st_ctime_ns) if os.name == "nt" else found.st_ctime_ns
        with open(path, "rb", buffering=0) as stream:
            return hashlib.sha256(stream.readall()).hexdigest(), changed
    except (OSError, ValueError):
        return _ABSENT, 0


@dataclass
class PathStates:
    """What is at paths, looked at once each."""

    _known: dict[str, tuple[str, int]] = field(default_factory=dict)

    def now(self, path: str) -> str:
        """What is at a path, as a word or a hash."""
        return self._at(path)[0]

    def since(self, paths: Iterable[str], started: int) -> dict[str, str] | None:
        """What is at each path; None when any of it has changed since ``started``, as a run may not have seen it.

        None, too, where something is so large that it would take too long to say.
        """
        states: dict[str, str] = {}
        here = os.getcwd()
        for path in paths:
            where = os.path.join(here, path)
            state, changed = self._at(where)
            if state == _ABSENT:
                where = _first_absent(where)
                changed = self._at(os.path.dirname(where))[1]
            if state == _LARGE or (changed >= started and state != _DIRECTORY):
                return None
            states[where] = state
        return states

    def _at(self, path: str) -> tuple[str, int]:
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = state_of(path)
        return known


class ToldStates(PathStates):
    """What is at paths of which somebody tells when they change: nothing else is looked at."""

    def tell(self, path: str, text: str | None) -> int:
        """There is another text at a path, or, without one, something else on disk; since when that is there."""
        if text is None:
            state, changed = state_of(path)
            self._known[path] = f"{state} since {changed}", changed
            return changed
        self._known[path] = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest(), 0
        return 0

    def since(self, paths: Iterable[str], started: int) -> dict[str, str]:
        """What is at each path by all that was told."""
        here = os.getcwd()
        return {where: self.now(where) for where in (os.path.join(here, path) for path in paths)}

    def _at(self, path: str) -> tuple[str, int]:
        return self._known.get(path, ("as it was", 0))


def _first_absent(path: str) -> str:
    """The folder that would have to be made first for ``path`` to be there, or ``path`` itself."""
    while (parent := os.path.dirname(path)) != path and not os.path.exists(parent):
        path = parent
    return path
