"""Long lines of prose, broken between words so that they fit on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from synclint.report.terminal import width

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
# Lines of source, and what is drawn below them, stay as they are: a broken line would no longer stand over its carets.
_SOURCE = re.compile(r" *(?:\d+|\.+)? \|")
_LABEL = re.compile(r" *= (?=[a-z])")
_WORD = re.compile(r" *[^ ]+")
_LEAST = 40
_HANGING = 4


def wrapped(lines: Iterable[str], columns: int) -> Iterator[str]:
    """The lines of a report, those of prose broken to ``columns``; what follows a label is set below its text."""
    for line in lines:
        plain = _STYLE.sub("", line)
        if width(plain) <= columns or columns < _LEAST or _SOURCE.match(plain):
            yield line
        else:
            label = _LABEL.match(plain)
            yield from broken(line, columns, " " * (label.end() + 2 if label else _HANGING))


def broken(line: str, columns: int, indent: str) -> Iterator[str]:
    """One line as several of at most ``columns``, the first as it begins, the others with ``indent`` before them.

    A word that is longer than a line has one of its own; escapes for colours take no room.
    """
    held, room = "", columns
    for word in _WORD.findall(line):
        if width(_STYLE.sub("", word)) > room and held.strip(" "):
            yield held
            word = word.lstrip(" ")
            held, room = indent, columns - len(indent)
        held += word
        room -= width(_STYLE.sub("", word))
    yield held
