"""What is said of an exception that is our own error."""

from __future__ import annotations

from pathlib import Path


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
