"""Keeps the outlines of modules in the cache, by what the modules say."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synclint.analysis.outlines import FunctionOutline, Outline
from synclint.entry_files import LIMIT_BYTES, key_of, note_use, read_entry, write_entries


@dataclass(frozen=True)
class OutlineFiles:
    """The outlines in a folder, as ``program`` has made them; new ones are written when ``write`` is called."""

    folder: Path
    program: str
    _new: dict[str, Any] = field(default_factory=dict)

    def find(self, source: str) -> Outline | None:
        """The outline of a source, None where none is kept."""
        key = self._key(source)
        values = read_entry(self.folder, key)
        if values is None:
            return None
        try:
            found = _outline(values)
        except (TypeError, ValueError, KeyError):
            return None
        note_use(self.folder, key)
        return found

    def keep(self, source: str, outline: Outline) -> None:
        """Keep the outline of a source."""
        self._new[self._key(source)] = _values(outline)

    def write(self) -> None:
        """Write what is to be kept."""
        write_entries(self.folder, self._new, LIMIT_BYTES)
        self._new.clear()

    def _key(self, source: str) -> str:
        return key_of("outline", self.program, hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest())


def _values(outline: Outline) -> dict[str, Any]:
    functions = [
        [*place, *function.end, sorted(function.assigned)] for place, function in outline.functions.items()
    ]
    return {"source": outline.source, "functions": functions}


def _outline(values: dict[str, Any]) -> Outline:
    return Outline(
        values["source"],
        {
            (line, offset): FunctionOutline((end_line, end_offset), frozenset(assigned))
            for line, offset, end_line, end_offset, assigned in values["functions"]
        },
    )
