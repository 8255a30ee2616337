"""Reads files that somebody else may have put in our way."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

# A pipe that nobody writes to would keep us waiting; a link leads to what was not asked for. Not every system has all.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to be read. Raises OSError, also for a link, a pipe, or a device."""
    stream = os.fdopen(os.open(path, _FLAGS), "rb")
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return stream


def read_regular(path: Path, limit: int) -> bytes:
    """What is in a regular file of at most ``limit`` bytes. Raises OSError, also for everything else."""
    with open_regular(path) as stream:
        is_larger = os.fstat(stream.fileno()).st_size > limit
        data = b"" if is_larger else stream.read(limit + 1)  # it may grow while it is being read
    if is_larger or len(data) > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data
