"""The words by which a text declares a contract or a region: most texts have none, and need no closer look."""

from __future__ import annotations

DECORATOR = "sync_free"
REGION = "sync_allowed"
COMMENT = "sync-free"
_WORDS = tuple(word.encode() for word in (DECORATOR, REGION, COMMENT))


def may_hold_contracts(utf8: bytes) -> bool:
    """Whether a text, in UTF-8, may declare a contract or a region."""
    return any(word in utf8 for word in _WORDS)
