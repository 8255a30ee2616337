"""Under which names a text keeps objects, and which names it mentions only to ask what they stand for for something.

An object that is only kept under names that are neither called nor handed to anybody is itself never called.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_MADE = re.compile(r" = (?:\w+\.)*([A-Z]\w*)\(")
_NAME = re.compile(r"[ \t]*(?:self\.)?(\w+)")
_PATH = re.compile(r"[\w\x00]+(?:\.[\w\x00]+)*")


class Uses(NamedTuple):
    """What a text does with objects.

    ``kept`` are the names under which it keeps some, each with the name of their class; ``asked`` the names that it
    mentions only before a dot, or in order to keep an object of which nothing else is made there; ``takes_any`` tells
    that it takes an attribute of its own object by a name that a variable holds.
    """

    kept: frozenset[tuple[str, str]] = frozenset()
    asked: frozenset[str] = frozenset()
    takes_any: bool = False


NONE = Uses()
_TAKING_ANY = re.compile(r"\bgetattr\([ \t\n]*self, ?[A-Za-z_][\w.]*(?:\[[^\[\]]*\])?(?:, ?\w+)?\)")


def uses_in(text: str, words: frozenset[str], used: set[str]) -> Uses:
    """What a text that mentions certain words does with objects; ``used`` are those that are not before a dot."""
    kept: set[tuple[str, str]] = set()
    parts: list[str] = []
    passed = 0
    for made in _MADE.finditer(text):
        begin = text.rfind("\n", 0, made.start()) + 1
        if name := _NAME.fullmatch(text, begin, made.start()):
            kept.add((name[1], made[1]))
            parts.append(text[passed:begin])
            passed = made.end()
    if kept:
        used = {path.rpartition(".")[2] for path in _PATH.findall("(".join((*parts, text[passed:])))}
        used.update(of_class for each, of_class in kept if each in used)
    takes_any = "getattr(" in text and _TAKING_ANY.search(text) is not None
    return Uses(frozenset(kept), words - used, takes_any)
