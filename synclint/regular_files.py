"""Reads files that somebody else may have put in our way."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

# A pipe that nobody writes to would keep us waiting; a link leads to what was not asked for. Not every system has both.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


def read_regular(path: Path, limit: int) -> bytes:
    """What is in a regular file of at most ``limit`` bytes.

    Raises OSError for everything else: a link, a pipe, a device, a larger file.
    """
    handle = os.open(path, _FLAGS)
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        # It may grow while it is being read.
        data = stream.read(limit + 1) if found.st_size <= limit else b""
        if found.st_size > limit or len(data) > limit:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return data
