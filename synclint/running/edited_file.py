"""How the lines of an edited file have moved, and its events on those of today.

What is known of a project was concluded when its files had other texts. What is seen in the edited file is therefore
put on the lines of that text, where the contexts of all functions are known, and from there on those of today.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.moved_lines import MovedFile, moved
from synclint.analysis.syntax.edited_bodies import MovedLines
from synclint.analysis.syntax.edited_lines import NEW, EditedLines
from synclint.running.survey import CodeFile


@dataclass(frozen=True)
class Move:
    """An edited file, on the lines of its text before all edits (``then``), and on those of today."""

    then: MovedFile
    now: MovedFile


def move_by(file: CodeFile, lines: MovedLines, count: int) -> Move:
    """How the lines of a file, of which it had a ``count``, have moved where they hold the same code."""
    # Lines of comments that are gone stand before those with code that have taken their places.
    then = {lines(line): line for line in range(1, count + 1)}
    path, name = str(file.real_path), str(file.path)
    return Move(MovedFile(path, name, lambda line: then.get(line, NEW + line)), MovedFile(path, name, lines))


def move_of(file: CodeFile, lines: EditedLines) -> Move:
    """How the lines of a file have moved."""
    path, name = str(file.real_path), str(file.path)
    return Move(MovedFile(path, name, lines.then), MovedFile(path, name, lines.now))


def events_now(events: Iterable[SyncEvent], moves: Iterable[Move], path: str) -> list[SyncEvent]:
    """The events of the file at a resolved path on the lines of today."""
    for move in moves:
        events = [moved(event, move.now, is_here=path == move.now.real_path) for event in events]
    return sorted(events, key=lambda event: (event.span, event.construct))
