"""Why a file was not checked to its end, and what is said of exceptions that stopped a check or the whole program."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from pathlib import Path

from synclint.findings import Position
from synclint.rules.own import INTERNAL_ERROR
from synclint.rules.records import Rule

# With these a write fails for reasons that lie with whatever was to take it.
_OUTPUT = frozenset(
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EBADF", "EIO", "ENXIO", "EROFS")
    if hasattr(errno, name)
)


@dataclass(frozen=True)
class Shortfall:
    """Why a file was not checked to its end: the rule that says so, in which words, and where."""

    rule: Rule
    message: str
    place: Position


def shortfall_at(path: Path, rule: Rule, message: str, error: Exception) -> Shortfall:
    """What is said of a file whose analysis ended in ``error``, at the statement that was being run."""
    from synclint.analysis.stopped import stopped_at

    return Shortfall(rule, message, stopped_at(error, os.path.realpath(path)) or Position(1, 1))


def internal_error(path: Path, error: Exception) -> Shortfall:
    """What is said of an error of ours in a file, or of what the system did not do for us there."""
    reason = fault(error)
    message = describe_internal_error(error) if reason is None else f"the file was not checked to its end: {reason}"
    return shortfall_at(path, INTERNAL_ERROR, message, error)


def fault(error: BaseException) -> str | None:
    """One line about what the system did not do for us, to which neither input nor an error of ours led; else None."""
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


def describe_internal_error(error: BaseException) -> str:
    """One line about an exception that is our own error; the traceback goes to a log file.

    The short id is the same for the same error, so that reports of it can be matched.
    """
    # Imported here because hardly any run needs them.
    import hashlib
    import tempfile
    import traceback

    trace = traceback.extract_tb(error.__traceback__)
    place = [type(error).__name__, *(f"{Path(frame.filename).name}:{frame.name}" for frame in trace)]
    identity = hashlib.sha256("\n".join(place).encode("utf-8", "replace")).hexdigest()[:8]
    message = f"internal error {identity} ({type(error).__name__}), please report it"
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix=f"synclint-{identity}-",
            suffix=".log",
            encoding="utf-8",
            errors="replace",
            delete=False,
        ) as log:
            log.writelines(traceback.format_exception(error))
    except OSError:
        return message
    return f"{message} with {log.name}"
