"""What the user's configuration says of functions by their names."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Patterns:
    """Shell-style globs on qualified names, ``*`` standing for dots as well."""

    hot: tuple[str, ...] = ()
    cold: tuple[str, ...] = ()
    device: tuple[str, ...] = ()


def named(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a qualified name matches one of the patterns."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
