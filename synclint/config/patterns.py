"""Patterns for paths, as ``.gitignore`` has them, relative to the directory in which they were written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from synclint.config.globs import PatternError, compiled

_GLOB = frozenset("*?[!/\\# ")


@dataclass(frozen=True)
class PathPattern:
    """A pattern such as ``tests/``, ``*_pb2.py`` or ``src/**/data``; with ``!`` in front, all other paths."""

    text: str
    folder: Path

    @property
    def is_name(self) -> bool:
        """Whether it is the plain name of a file or directory, wherever that lies."""
        return _GLOB.isdisjoint(self.text)

    @property
    def suffix(self) -> str | None:
        """The end of the names that it matches, if it is a pattern such as ``*.py``."""
        return self.text[1:] if self.text[:2] == "*." and _GLOB.isdisjoint(self.text[1:]) else None

    def is_valid(self) -> bool:
        """Whether it can be read as a pattern."""
        try:
            compiled(self.text.removeprefix("!"))
        except PatternError:
            return False
        return True

    def matches(self, path: Path, *, directory: bool = False) -> bool:
        """Whether it speaks of ``path`` (absolute), or of a directory that ``path`` lies in."""
        relative = path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else path.name
        found = compiled(self.text.removeprefix("!")).match_file(f"{relative}/" if directory else relative)
        return found != self.text.startswith("!")


@dataclass(frozen=True)
class FileSelection:
    """Which files below a directory are checked.

    ``force_exclude`` extends the exclusions to files that the user names; ``respect_gitignore`` adds
    those of ``.gitignore``.
    """

    include: tuple[PathPattern, ...]
    exclude: tuple[PathPattern, ...]
    respect_gitignore: bool = True
    force_exclude: bool = False
    # Most patterns are suffixes or plain names: one look at a name decides about all of them.
    _suffixes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _names: frozenset[str] = field(init=False, repr=False, compare=False)
    _other_include: tuple[PathPattern, ...] = field(init=False, repr=False, compare=False)
    _other_exclude: tuple[PathPattern, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Divide the patterns into those that a name decides about and the others."""
        object.__setattr__(self, "_suffixes", tuple(p.suffix for p in self.include if p.suffix))
        object.__setattr__(self, "_names", frozenset(p.text for p in self.exclude if p.is_name))
        object.__setattr__(self, "_other_include", tuple(p for p in self.include if not p.suffix))
        object.__setattr__(self, "_other_exclude", tuple(p for p in self.exclude if not p.is_name))

    def excludes(self, path: Path, *, directory: bool) -> bool:
        """Whether ``path`` (absolute) itself is excluded."""
        return path.name in self._names or _any(self._other_exclude, path, directory=directory)

    def includes(self, path: Path) -> bool:
        """Whether a file of this name is one to be checked."""
        return path.name.endswith(self._suffixes) or _any(self._other_include, path, directory=False)

    def excludes_named(self, path: Path) -> bool:
        """Whether a file that the user named is excluded all the same, itself or with a directory above."""
        if not self.force_exclude:
            return False
        return self.excludes(path, directory=False) or any(
            self.excludes(parent, directory=True) for parent in path.parents
        )


def _any(patterns: Iterable[PathPattern], path: Path, *, directory: bool) -> bool:
    return any(pattern.matches(path, directory=directory) for pattern in patterns)
