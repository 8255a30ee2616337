"""Texts that are kept for as long as a run takes: in UTF-8.

One sign of another alphabet, or a picture in a comment, makes Python take two or four bytes for each letter of a text.
"""

from __future__ import annotations

import io
import re
from array import array
from collections.abc import Iterator, Sequence
from typing import overload

from synclint.frozen import dataclass, remembered

_END_OF_LINE = re.compile(rb"\r\n?|\n")
# Half of a surrogate pair, which a string literal of the caller's may hold.
_ERRORS = "surrogatepass"


@dataclass(frozen=True)
class KeptText:
    """A text that is decoded whenever somebody asks for it."""

    utf8: bytes

    @property
    def text(self) -> str:
        """The text itself."""
        return self.utf8.decode("utf-8", _ERRORS)

    @remembered
    def lines(self) -> KeptLines:
        """Its lines, with their ends."""
        return KeptLines(self.utf8)


class KeptLines(Sequence[str]):
    """The lines of a text, with their ends; the last one is what stands behind the last end, and empty as a rule.

    Files end lines where Python does and nowhere else; ``str.splitlines`` knows many more signs.
    """

    def __init__(self, utf8: bytes) -> None:
        self._utf8 = utf8
        self._starts = array("I", (0, *(end.end() for end in _END_OF_LINE.finditer(utf8))))
        if self._starts[-1] < len(utf8):
            self._starts.append(len(utf8))
        self._starts.append(len(utf8))

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        """A line, counting from 0, or some of them."""
        numbers = range(len(self))[index]
        if isinstance(numbers, range):
            return [self[number] for number in numbers]
        return self._utf8[self._starts[numbers] : self._starts[numbers + 1]].decode("utf-8", _ERRORS)

    def __iter__(self) -> Iterator[str]:
        """All lines, decoded at once."""
        return iter([*io.StringIO(self._utf8.decode("utf-8", _ERRORS), newline=""), ""])


def kept(text: str) -> KeptText:
    """A text as it is kept."""
    return KeptText(text.encode("utf-8", _ERRORS))
