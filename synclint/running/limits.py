"""How long somebody waits who asks for a few files of a project."""

from __future__ import annotations

# So many characters are learned in some seconds.
MOST_LEARNED_FOR_FEW = 3_000_000


class TooMuchHasChangedError(Exception):
    """A project of which a few files are asked for, and most is not remembered."""
