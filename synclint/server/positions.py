"""Places as editors count them: lines from 0, columns from 0 in the units that editor and server agreed on."""

from __future__ import annotations

import re

from lsprotocol.types import Position, Range
from pygls.workspace import PositionCodec, ServerTextPosition, ServerTextRange

from synclint.findings import Position as Place

_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """The lines of a text without their ends, as editors and Python count them: a form feed ends none."""
    return _LINE_END.split(text)


def range_of(start: Place, end: Place, lines: list[str], codec: PositionCodec) -> Range:
    """A span in a text as the editor counts it."""
    found: Range = codec.range_to_client_units(lines, ServerTextRange(_counted(start), _counted(end)))
    return found


def place_of(position: Position, lines: list[str], codec: PositionCodec) -> Place:
    """A position of the editor as we count it."""
    found = codec.position_from_client_units(lines, position)
    return Place(found.line + 1, found.character + 1)


def _counted(place: Place) -> ServerTextPosition:
    return ServerTextPosition(place.line - 1, place.column - 1)
