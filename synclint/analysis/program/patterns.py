"""What the user's configuration says of functions by their names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

_MARKS = re.compile(r"@\d+")


@dataclass(frozen=True)
class Patterns:
    """Shell-style globs on qualified names, ``*`` standing for dots as well.

    ``regions`` are the context managers in whose blocks waits are accepted; none where nobody asks for contracts.
    """

    hot: tuple[str, ...] = ()
    cold: tuple[str, ...] = ()
    device: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()


def named(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a qualified name matches one of the patterns."""
    return any(fnmatchcase(without_marks(name), pattern) for pattern in patterns)


def without_marks(name: str) -> str:
    """A qualified name as the source has it, without what tells modules of the same name apart."""
    return _MARKS.sub("", name) if "@" in name else name
