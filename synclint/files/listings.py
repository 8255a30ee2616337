"""Which Python files lie in a folder, as a place that a result may rest on, like a file."""

from __future__ import annotations

import os
from pathlib import Path


def listing_of(folder: Path) -> str:
    """The place that is another one's as soon as a Python file is put into the folder, or taken out of it."""
    return f"{folder}{os.sep}"  # no file is called so


def listed_at(place: str) -> list[str] | None:
    """The names of the Python files in the folder of a listing, None for the place of anything else; raises OSError."""
    if not place.endswith(os.sep):
        return None
    return sorted(one.name for one in Path(place).iterdir() if one.name.endswith(".py"))
