"""How long somebody waits who asks for a few files of a project."""

from __future__ import annotations

# So many characters are analysed in some seconds.
MOST_ANALYSED_FOR_FEW = 3_000_000


class TooMuchHasChangedError(Exception):
    """A project of which a few files are asked for, and most is not remembered."""
