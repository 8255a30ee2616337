"""What somebody may have meant who wrote something else."""

from __future__ import annotations

from collections.abc import Sequence


def nearest(word: str, words: Sequence[str], likeness: float = 0.6) -> str:
    """``; did you mean 'x'?`` for the word that is most like another, and at least so much, or nothing."""
    import difflib

    close = difflib.get_close_matches(word, words, n=1, cutoff=likeness)
    return f"; did you mean {close[0]!r}?" if close else ""
