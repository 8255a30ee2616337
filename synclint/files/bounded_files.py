"""Reads files that anybody may have written, up to a size: no file of gigabytes ends a run."""

from __future__ import annotations

import errno
from pathlib import Path

_MIB = 2**20


def read_at_most(path: Path, most: int, kind: str) -> bytes:
    """The bytes of a file. Raises OSError, with ``EFBIG`` for more than ``most`` of them.

    ``kind`` names such files in that complaint: "a configuration". Pipes and devices, which have no size, are read so
    far and no further.
    """
    with path.open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {kind} may be ({_in_words(most)})")
    return data


def _in_words(size: int) -> str:
    megabytes = size // _MIB
    return f"{megabytes} megabyte{'s' * (megabytes != 1)}"
