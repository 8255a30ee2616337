"""Counts the steps of a backtracking matcher, as Python's is, over the parse tree of a regular expression."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, TypeAlias

if sys.version_info >= (3, 11):
    from re import _parser as sre_parse
else:
    import sre_parse

_Tree: TypeAlias = Any  # what the parser of regular expressions makes, which has no published types


class StepCounter:
    """Matches the patterns that globs become: what they repeat without an end are single characters."""

    def __init__(self, pattern: str, text: str) -> None:
        self.steps = 0
        self._text = text
        self._groups: dict[int, str] = {}
        parsed: _Tree = sre_parse.parse(pattern)
        tree = list(parsed)
        self.matches = next(self._sequence(tree, 0, 0), None) is not None

    def _sequence(self, items: _Tree, index: int, place: int) -> Iterator[int]:
        if index == len(items):
            yield place
            return
        for end in self._item(items[index], place):
            yield from self._sequence(items, index + 1, end)

    def _item(self, item: _Tree, place: int) -> Iterator[int]:
        self.steps += 1
        kind, value = str(item[0]), item[1]
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from self._repeat(kind == "MAX_REPEAT", value, place)
        elif kind == "SUBPATTERN":
            for end in self._sequence(list(value[3]), 0, place):
                if value[0] is not None:
                    self._groups[value[0]] = self._text[place:end]
                yield end
        elif kind == "BRANCH":
            for branch in value[1]:
                yield from self._sequence(list(branch), 0, place)
        elif kind == "ASSERT":
            if next(self._sequence(list(value[1]), 0, place), None) is not None:
                yield place
        elif kind == "GROUPREF":
            if self._text.startswith(self._groups[value], place):
                yield place + len(self._groups[value])
        elif kind == "AT":
            if place == (0 if str(value) == "AT_BEGINNING" else len(self._text)):
                yield place
        elif place < len(self._text) and self._reads(kind, value, ord(self._text[place])):
            yield place + 1

    def _reads(self, kind: str, value: _Tree, character: int) -> bool:
        if kind == "ANY":
            return True
        if kind in ("LITERAL", "NOT_LITERAL"):
            return (character == value) is (kind == "LITERAL")
        assert kind == "IN", kind
        negated = str(value[0][0]) == "NEGATE"
        tests = value[negated:]
        found = any(
            character == test[1] if str(test[0]) == "LITERAL" else test[1][0] <= character <= test[1][1]
            for test in tests
        )
        return found is not negated

    def _repeat(self, greedy: bool, value: _Tree, place: int) -> Iterator[int]:
        least, most, inside = value
        items = list(inside)
        if most == 1:
            if not greedy:
                yield place
            yield from self._sequence(items, 0, place)
            if greedy:
                yield place
            return
        ends = [place]
        if not greedy and least == 0:
            yield place
        while (end := next(self._sequence(items, 0, ends[-1]), None)) is not None:
            ends.append(end)
            if not greedy:
                yield end
        if greedy:
            yield from reversed(ends[least:])
