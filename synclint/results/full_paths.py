"""The names of files as programs want them, from those that a run uses, which may be relative to its folder."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from synclint.findings import Context


@lru_cache(maxsize=4096)  # every finding names its file, and those of the calls that lead to it
def full_path(path: str, folder: Path) -> str:
    """A path, relative to ``folder`` or not, as an absolute one; ``-`` stands for standard input."""
    return "-" if path == "-" else str(folder / path)


def full_reason(context: Context, path: str, folder: Path) -> str:
    """Why the lines of the file at ``path`` run so often, with an absolute name for the file that is named there.

    That is the file itself, or one on the way to it.
    """
    named = {path, *(call.path for call in context.path), *(loop.path for loop in context.times)}
    for one in sorted(named, key=len, reverse=True):
        if f" {one}:" in context.reason:
            return context.reason.replace(f" {one}:", f" {full_path(one, folder)}:")
    return context.reason
