"""What lies in folders and files, where the system can tell."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from synclint.files.bounded_files import read_at_most
from synclint.sources.decoding import MOST_BYTES, unsaved_text


def answers(kind: Callable[[Path], bool], path: Path) -> bool:
    """What ``kind`` says of a path; false where the system cannot tell, as of a name longer than names may be."""
    try:
        return kind(path)
    except OSError:
        return False


def names_in(folder: Path) -> frozenset[str]:
    """The names of what lies in a folder; none where it cannot be read."""
    try:
        with os.scandir(folder) as found:
            return frozenset(item.name for item in found)
    except OSError:
        return frozenset()


def read_text(path: Path) -> str:
    """The text of a module, however it is encoded. Raises OSError."""
    unsaved = unsaved_text(path)
    if unsaved is not None:
        return unsaved
    return read_at_most(path, MOST_BYTES, "a module").decode("utf-8", "replace")
