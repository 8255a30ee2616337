"""Keeps the outlines of modules in the cache, by what the modules say."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from synclint.analysis.program.outlines import FunctionOutline, Outline
from synclint.memory.entry_files import Entries, key_of


@dataclass(frozen=True)
class OutlineFiles:
    """The outlines among entries, as ``program`` has made them; new ones are written when ``write`` is called."""

    entries: Entries
    program: str
    _new: dict[str, Any] = field(default_factory=dict)

    def find(self, source: str) -> Outline | None:
        """The outline of a source, None where none is kept."""
        key = self._key(source)
        values = self.entries.read(key)
        if values is None:
            return None
        try:
            found = _outline(values)
        except (TypeError, ValueError, KeyError):
            return None
        self.entries.note_use(key)
        return found

    def keep(self, source: str, outline: Outline) -> None:
        """Keep the outline of a source."""
        self._new[self._key(source)] = _values(outline)

    def write(self) -> None:
        """Write what is to be kept."""
        self.entries.write(self._new)
        self._new.clear()

    def _key(self, source: str) -> str:
        return key_of("outline", self.program, hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest())


def _values(outline: Outline) -> dict[str, Any]:
    functions = [[*place, *function.end, sorted(function.assigned)] for place, function in outline.functions.items()]
    return {"source": outline.source, "functions": functions}


def _outline(values: dict[str, Any]) -> Outline:
    return Outline(
        values["source"],
        {
            (line, offset): FunctionOutline((end_line, end_offset), frozenset(assigned))
            for line, offset, end_line, end_offset, assigned in values["functions"]
        },
    )
