"""The entries of the cache: bytes under a checksum, a file for each, in a folder that does not outgrow its bounds.

Any number of runs may read and write at the same time. What is damaged is as good as absent, and a folder that cannot
be read or written is done without. The checksum is one that only this user can make: the folder may lie inside of the
project that is checked, and whoever wrote the project may have put entries into it that tell of no findings.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synclint.files.regular_files import read_regular

LIMIT_BYTES = 64 * 2**20
# A file that a killed run has left unfinished is of no use to anybody after this time.
_UNFINISHED_SECONDS = 3600.0
_ENTRY = re.compile(r"[0-9a-f]{64}\.json")
_UNFINISHED = re.compile(r"\.[0-9a-f]{64}\.json-.*\.tmp")

# What may go wrong where something is kept that has been reported already.
_DONE_WITHOUT = (OSError, ValueError, RecursionError, MemoryError)


def key_of(*parts: object) -> str:
    """The name of the entry for what these parts, which JSON can tell, say."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Entries:
    """The entries in a folder that were written with the user's ``secret``.

    All of them together may have ``limit`` bytes, whoever writes one: the oldest go first.
    """

    folder: Path
    secret: bytes = field(repr=False)
    limit: int = LIMIT_BYTES

    def read(self, key: str) -> dict[str, Any] | None:
        """What an entry holds in JSON; None where there is none, or none that is whole and the user's."""
        body = self.read_bytes(key)
        try:
            values = None if body is None else json.loads(body)
        except (ValueError, RecursionError, MemoryError):
            return None
        return values if isinstance(values, dict) else None

    def read_bytes(self, key: str) -> bytes | None:
        """What an entry holds; None where there is none, or none that is whole and the user's."""
        try:
            checksum, _, body = read_regular(self._path(key), LIMIT_BYTES).partition(b"\n")
        except (OSError, ValueError, MemoryError):
            return None
        return body if hmac.compare_digest(checksum, self._checksum(key, body)) else None

    def note_use(self, key: str) -> None:
        """Remember that an entry was of use: those that have not been for longest are the first to go."""
        with contextlib.suppress(OSError):
            os.utime(self._path(key), follow_symlinks=os.utime not in os.supports_follow_symlinks)

    def write(self, entries: Mapping[str, Any]) -> None:
        """Write entries in JSON by their keys, as ``write_bytes`` does."""
        with contextlib.suppress(*_DONE_WITHOUT):
            self.write_bytes({key: json.dumps(values).encode() for key, values in entries.items()})

    def write_bytes(self, bodies: Mapping[str, bytes]) -> None:
        """Write entries by their keys, after making room for them.

        Whatever goes wrong: what was to be kept has been reported already, and is done without.
        """
        with contextlib.suppress(*_DONE_WITHOUT):
            written = {key: self._checksum(key, body) + b"\n" + body for key, body in bodies.items()}
            size = sum(map(len, written.values()))
            if not written or size > self.limit:
                return
            if not self.folder.is_dir():
                self.folder.mkdir(parents=True)
                # A cache inside of a project is nobody's source.
                (self.folder / ".gitignore").write_text("*\n", encoding="utf-8")
            _make_room(self.folder, self.limit - size)
            for key, data in written.items():
                _write(self._path(key), data)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _checksum(self, key: str, body: bytes) -> bytes:
        # With the key: an entry that the user wrote must not be taken for another one.
        return hmac.digest(self.secret, key.encode() + b"\n" + body, "sha256").hex().encode()


def _write(path: Path, data: bytes) -> None:
    """Put a file in its place at once. Nothing waits for the disk: the checksum tells what a power cut has spoilt."""
    import tempfile  # brings much with it that a run which writes nothing can do without

    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _make_room(folder: Path, limit: int) -> None:
    """Remove the oldest entries until those that stay take no more than ``limit`` bytes."""
    now = time.time()
    used = 0
    for path, found in sorted(_own_files(folder), key=lambda item: item[1].st_mtime, reverse=True):
        if _UNFINISHED.fullmatch(path.name):
            outlived = now - found.st_mtime > _UNFINISHED_SECONDS
        else:
            used += found.st_size
            outlived = used > limit
        if outlived:
            with contextlib.suppress(OSError):
                path.unlink()


def remove_entries(folder: Path) -> tuple[int, int]:
    """Remove all entries from a folder and those in it; how many there were, and their bytes.

    Raises OSError for an entry that cannot be removed.
    """
    count = size = 0
    if not folder.is_dir():
        return count, size
    folders = [folder, *(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())]
    for path, found in [entry for each in folders for entry in _own_files(each)]:
        path.unlink(missing_ok=True)
        count, size = count + 1, size + found.st_size
    return count, size


def _own_files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The files of the cache; whatever else lies in its folder is somebody else's."""
    with os.scandir(folder) as found:
        for item in found:
            if _ENTRY.fullmatch(item.name) or _UNFINISHED.fullmatch(item.name):
                with contextlib.suppress(OSError):
                    yield Path(item.path), item.stat(follow_symlinks=False)
