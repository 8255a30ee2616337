"""A secret of the user, by which what this user's runs have kept can be told from what somebody else made."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from synclint.files.regular_files import open_regular

_NAME = "key"
_BYTES = 32


def user_secret(folder: Path) -> bytes | None:
    """The secret in the user's own ``folder``, which is made there at first; None where none can be kept.

    What others can read, or what is not the user's, is no secret: another one takes its place. No checkout by git makes
    a file that only its owner can read.
    """
    path = folder / _NAME
    found = _read(path)
    if found is None:
        with contextlib.suppress(OSError):
            _make(path)
        found = _read(path)
    return found


def _read(path: Path) -> bytes | None:
    try:
        with open_regular(path) as stream:
            if not _is_private(os.fstat(stream.fileno())):
                return None
            secret = stream.read(_BYTES + 1)
    except OSError:
        return None
    return secret if len(secret) == _BYTES else None


def _is_private(found: os.stat_result) -> bool:
    if os.name == "nt":  # where the folder's own list says who may read
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)


def _make(path: Path) -> None:
    """Put a new secret in its place, unless another run has just done so. Raises OSError."""
    import tempfile  # brings much with it that a run which finds its secret can do without

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(os.urandom(_BYTES))
        try:
            os.link(name, path)
        except OSError:  # something is there, or this file system knows no links
            if _read(path) is None:
                Path(name).replace(path)
    finally:
        with contextlib.suppress(OSError):
            Path(name).unlink()
