"""Writes a file whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from synclint.files.real_paths import real_path


def replace_file(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` as UTF-8, as ``replace_bytes`` does. Raises OSError."""
    replace_bytes(path, text.encode("utf-8", "backslashreplace"))


def replace_bytes(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path``; whatever goes wrong, what was there stays as it was.

    The data goes to a new file beside the old one, which then takes its place, with its permissions. A
    link is kept and the file that it leads to replaced. What is no regular file, such as a pipe or
    ``/dev/stdout``, is written to directly. Raises OSError, which names ``path``.
    """
    try:
        _replace(real_path(path), data)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def _replace(target: Path, data: bytes) -> None:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG | (0o666 & ~_umask())
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        target.write_bytes(data)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    import tempfile  # brings compression and random numbers with it, which a run that writes nothing can do without

    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
        Path(name).chmod(stat.S_IMODE(mode))
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    # The only way to read it is to set it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
