"""What is said of an exception for which neither the user's input nor an error of ours is to blame."""

from __future__ import annotations

import errno
import os

# With these a write fails for reasons that lie with whatever was to take it.
_OUTPUT = frozenset(
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EBADF", "EIO", "ENXIO", "EROFS")
    if hasattr(errno, name)
)


def fault(error: BaseException) -> str | None:
    """One line about what the system did not do for us; None where nothing is known of that."""
    if isinstance(error, MemoryError):
        return "memory ran out; check fewer files at a time, or with fewer --jobs"
    if not isinstance(error, OSError):
        return None
    if not _has_working_directory():
        return "the working directory no longer exists, or cannot be read; change to another one"
    # An error with a file tells its name; standard output has none.
    if error.filename is None and error.errno in _OUTPUT:
        return f"the output could not be written: {(error.strerror or str(error)).lower()}"
    if error.errno == errno.ENOMEM:
        return fault(MemoryError())
    return None


def _has_working_directory() -> bool:
    try:
        os.getcwd()  # noqa: PTH109
    except OSError:
        return False
    return True
