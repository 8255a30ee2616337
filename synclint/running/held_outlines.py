"""Keeps the outlines of imported files in memory, for a process that looks at some files again and again."""

from __future__ import annotations

from collections import OrderedDict

from synclint.analysis.program.outlines import Outline

# An outline has the size of its source as a rule.
_MOST_CHARACTERS = 64_000_000


class HeldOutlines:
    """The outlines of the sources that were asked for last."""

    def __init__(self) -> None:
        self._outlines: OrderedDict[str, Outline] = OrderedDict()
        self._characters = 0

    def find(self, source: str) -> Outline | None:
        """The outline of a source, None where none is kept."""
        found = self._outlines.get(source)
        if found is not None:
            self._outlines.move_to_end(source)
        return found

    def keep(self, source: str, outline: Outline) -> None:
        """Keep the outline of a source."""
        if source not in self._outlines:
            self._characters += len(source)
        self._outlines[source] = outline
        while self._characters > _MOST_CHARACTERS:
            oldest, _ = self._outlines.popitem(last=False)
            self._characters -= len(oldest)

    def write(self) -> None:
        """Do nothing: what is kept is kept in memory."""
