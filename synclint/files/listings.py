"""Which Python files lie in a folder, as a place that a result may rest on, like a file."""

from __future__ import annotations

import os
from pathlib import Path

_ANY = "*.py"


def listing_of(folder: Path) -> str:
    """The place that is another one's as soon as a Python file is put into the folder, or taken out of it."""
    return str(folder / _ANY)


def listed_at(place: str) -> list[str] | None:
    """The names of the Python files in the folder of a listing, None for the place of anything else; raises OSError."""
    folder, last = os.path.split(place)
    return sorted(one.name for one in Path(folder).iterdir() if one.name.endswith(".py")) if last == _ANY else None
