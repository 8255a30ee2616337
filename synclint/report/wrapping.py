"""Long lines of prose, broken between words so that they fit on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from synclint.report.terminal import width

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
# Lines of source, and what is drawn below them, stay as they are: a broken line would no longer stand over its carets.
_SOURCE = re.compile(r" *(?:\d+|\.+)? \|")
_LABEL = re.compile(r" *= (?=[a-z])")
_PIECE = re.compile(r"[^ ]+| +")
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
    held, room, gap = "", columns, ""
    for piece in _PIECE.findall(line):
        if piece[0] == " ":
            gap = piece
            continue
        needed = width(_STYLE.sub("", gap + piece))
        if needed > room and held.strip(" "):
            yield held
            held, room, gap = indent, columns - len(indent), ""
            needed = width(_STYLE.sub("", piece))
        held += gap + piece
        room -= needed
        gap = ""
    yield held
