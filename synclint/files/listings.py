"""What Python files a folder has, and what some of them say, as places that a result may rest on, like a file."""

from __future__ import annotations

import os
from pathlib import Path

_PATH_CHANGES = "sys.path"


def listing_of(folder: Path) -> str:
    """The place that is another one's as soon as a Python file is put into the folder, or taken out of it."""
    return f"{folder}{os.sep}"  # no file is called so


def path_changes_of(folder: Path) -> str:
    """The place that is another one's as soon as what a Python file in the folder says of ``sys.path`` may be."""
    return listing_of(folder / _PATH_CHANGES)


def speaks_of_path(text: str) -> bool:
    """Whether a text may change where modules are looked up."""
    return _PATH_CHANGES in text


def listed_at(place: str) -> list[str] | None:
    """What there is at such a place, None for the place of anything else; raises OSError.

    Of a listing it is the names of the Python files, of changes to the path the names and texts of those that make any.
    """
    if not place.endswith(os.sep):
        return None
    folder = Path(place)
    if folder.name != _PATH_CHANGES:
        return [file.name for file in _python_files(folder)]
    texts = {file.name: file.read_text("latin-1") for file in _python_files(folder.parent)}
    return [part for name, text in texts.items() if speaks_of_path(text) for part in (name, text)]


def _python_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.name.endswith(".py"))
