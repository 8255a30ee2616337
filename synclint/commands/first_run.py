"""What the words of a report mean: told to each user once, below the first report with findings."""

from __future__ import annotations

import contextlib

from synclint.commands.output import complain

_MARK = "explained"
_TOLD = (
    "[high], [medium] and [low] say how strong the evidence is that a line waits, not how much time that costs",
    "what waits in one statement, or for one value, is one cause and one entry, whose first line stands for the others",
    "a phase (each step, evaluation, at intervals, once) says how often a line runs; `--runs all` shows all phases",
    "`synclint explain SYN201` shows the page of a rule; this is said after the first report only",
)


def explain_words_once() -> None:
    """Say it, unless it has been said, or nobody could remember that it has."""
    from synclint.memo.folders import default_folder

    folder = default_folder()
    if folder is None or (folder / _MARK).exists():
        return
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _MARK).touch()
        for sentence in _TOLD:
            complain("note", sentence)
