"""Patterns as ``.gitignore`` has them, compiled so that the time to match one grows with the path's length alone.

pathspec makes a regular expression of a pattern. With several ``*`` it goes back over all of them where the last does
not match, though the first place where the text between two of them fits is always good enough: what comes after has
the more to choose from. ``linear`` keeps it from going back, as ``fnmatch`` of Python's library does.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pathspec.gitignore import GitIgnoreSpec

# What pathspec makes of `*` and of `**`, at the beginning of a pattern and between two slashes.
_STAR, _FOLDERS_FIRST, _FOLDERS = "[^/]*", "(?:.+/)?", "(?:/.+)?"
_TOKEN = re.compile(r"\\.|\[\^?\]?[^\]]*(?:\][*+]?)?|\((?:\?:|\?P<\w+>)|.", re.DOTALL)


class PatternError(ValueError):
    """A text that is no pattern."""


@cache
def compiled(text: str) -> GitIgnoreSpec:
    """One pattern, ready to match paths. Raises PatternError."""
    return spec_of([text])


def spec_of(lines: Iterable[str]) -> GitIgnoreSpec:
    """Several patterns, of which the last that matches a path decides. Raises PatternError."""
    from pathspec.gitignore import GitIgnoreSpec

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of `[[`, which may mean something else in a Python to come
            patterns = list(GitIgnoreSpec.from_lines(lines).patterns)
            for index, pattern in enumerate(patterns):
                if pattern.regex is not None:  # it is None for comments and blank lines
                    regex = str(pattern.regex.pattern)
                    better = linear(regex)
                    if better != regex:
                        patterns[index] = type(pattern)(re.compile(better), pattern.include)
    except (ValueError, re.error, RecursionError, OverflowError) as error:
        raise PatternError(str(error)) from None
    return GitIgnoreSpec(patterns)


def linear(regex: str) -> str:
    """The regular expression of a pattern so that it matches the same paths and never goes back far."""
    if not regex.startswith("^"):
        return regex
    numbers = count(1)
    parts = regex[1:].split(_FOLDERS)
    made: list[str] = []
    for index, part in enumerate(parts):
        folders = _FOLDERS if index else ""
        if part.startswith(_FOLDERS_FIRST):
            folders, part = _FOLDERS_FIRST, part.removeprefix(_FOLDERS_FIRST)
        inner = "".join(_segments(_TOKEN.findall(part), numbers))
        if folders and index < len(parts) - 1:
            # The first place that fits, up to the slash behind it.
            made.append(_kept(f"{folders.replace('.+', '.+?')}?{inner}(?=/)", next(numbers)))
        else:
            made.append(folders + inner)
    return f"^{''.join(made)}"


def _segments(tokens: Sequence[str], numbers: Iterator[int]) -> Iterator[str]:
    """The tokens with every ``*`` but the last of a segment kept to the first place that fits."""
    segment: list[str] = []
    for token in tokens:
        if token == "/" or token.startswith("("):
            yield from _segment(segment, numbers)
            segment = []
            yield token
        else:
            segment.append(token)
    yield from _segment(segment, numbers)


def _segment(tokens: Sequence[str], numbers: Iterator[int]) -> Iterator[str]:
    pieces: list[list[str]] = [[]]
    for token in tokens:
        if token != _STAR:
            pieces[-1].append(token)
        elif len(pieces) == 1 or pieces[-1]:  # two stars in a row are one
            pieces.append([])
    yield from pieces[0]
    for piece in pieces[1:-1]:
        yield _kept(f"[^/]*?{''.join(piece)}", next(numbers))
    if len(pieces) > 1:
        yield _STAR + "".join(pieces[-1])


def _kept(regex: str, number: int) -> str:
    """A regular expression of which only the first match counts (``(?>…)``, which Python has from 3.11 on)."""
    return f"(?=(?P<kept{number}>{regex}))(?P=kept{number})"
