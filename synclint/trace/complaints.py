"""What the tracer says next to the program whose standard error it uses."""

from __future__ import annotations

import contextlib
import os
import sys

from synclint.report.terminal import escape


def complain(message: str, kind: str = "error") -> None:
    """Say in one line on standard error what went wrong."""
    write_error(f"synclint trace: {kind}: {escape(' '.join(message.split()))}\n")


def write_error(text: str) -> None:
    """Write to standard error, whatever the program has made of ``sys.stderr``; what it printed there comes first."""
    with contextlib.suppress(Exception):
        sys.stderr.flush()
    data = text.encode("utf-8", "backslashreplace")
    with contextlib.suppress(OSError):
        while data:
            data = data[os.write(2, data) :]
