"""How deeply a source is nested, from its text alone: what a native parser has no stack for must not reach it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CODE = re.compile(
    r"""\#[^\n]*|\\\n
    |(?P<prefix>[A-Za-z]{0,2})(?P<quote>'''|\"\"\"|'|\")
    |\n[ \t\f]*(?=(?P<first>[^\W\d]\w*|[^\s\#])?)
    |[][(){},;]
    |(?P<level>[-+~*/%@&|^<>=.!:]|\b(?:not|lambda|await|yield|if|else|for|in|is|and|or|as)\b)
    |\w+""",
    re.VERBOSE,
)
# The text of an f-string up to a replacement field or its end, and the form in a field up to the like.
_TEXT = re.compile(r"\\N\{[^{}\n]*\}|\\[^{]|\{\{|\}\}|'''|\"\"\"|[\n'\"{}]", re.DOTALL)
_FORM = re.compile(r"[\n{}]")
# What counts in other strings: escapes, the end, and the end of the line, beyond which a short one does not go.
_STRINGS = {
    "'": re.compile(r"\\.|'|\n", re.DOTALL),
    '"': re.compile(r'\\.|"|\n', re.DOTALL),
    "'''": re.compile(r"\\.|'''", re.DOTALL),
    '"""': re.compile(r'\\.|"""', re.DOTALL),
}
# No expression goes on with one of these: what seems to be open before it was closed where we did not see it.
_STATEMENTS = frozenset(
    {
        "assert", "break", "class", "continue", "def", "del", "elif", "except", "finally", "global", "import",
        "nonlocal", "pass", "raise", "return", "try", "while", "with",
    }
)  # fmt: skip


# Of more brackets within one another, nobody asks how many are braces.
_FEW = 50


@dataclass(frozen=True)
class Nesting:
    """What a parser may have to nest, in doubt too much rather than too little.

    ``levels`` counts the operators, calls, attributes and words that may stand within one another, or the ``elif``
    that follow one another; ``brackets`` those that are open at once, ``in_pattern`` those of a ``case`` alone, where
    braces count twice.
    """

    levels: int
    brackets: int
    in_pattern: int


def nesting_of(source: str) -> Nesting:
    """The deepest nesting anywhere in a source, whose lines end in line feeds."""
    scanner = _Scanner(source)
    return Nesting(scanner.levels, scanner.brackets, scanner.in_pattern)


@dataclass
class _Open:
    """What has been opened, a bracket, an f-string or a form in one, and the levels in it since the last comma."""

    sign: str
    levels: int = 0


class _Scanner:
    """Goes once through a source and counts."""

    def __init__(self, source: str) -> None:
        self.levels = self.brackets = self.in_pattern = 0
        # How many ``elif`` have followed one another, for each indentation.
        self._indentations: list[tuple[int, int]] = []
        # How far it is known that no string of a kind ends: one that begins before need not be looked through again.
        self._endless: dict[str, int] = {}
        self._start()
        place = 0
        while True:
            sign = self._open[-1].sign
            pattern = _FORM if sign == ":" else _TEXT if sign in _STRINGS else _CODE
            found = pattern.search(source, place)
            if found is None:
                return
            place = found.end()
            if pattern is not _CODE:
                self._text(found.group())
            elif found["quote"] and not set(found["prefix"].lower()) & {"f", "t"}:
                place = self._end_of_string(source, found["quote"], place)
            else:
                self._code(found)

    def _end_of_string(self, source: str, quote: str, place: int) -> int:
        """Where the string ends that begins here, or else here: no string ends, or Python would not parse it."""
        if place < self._endless.get(quote, 0):
            return place
        for part in _STRINGS[quote].finditer(source, place):
            if part[0] == quote:
                return part.end()
            if part[0] == "\n":
                self._endless[quote] = part.start()
                return place
        self._endless[quote] = len(source)
        return place

    def _start(self) -> None:
        self._open = [_Open("")]
        self._within = 0
        self._of_case = False

    def _code(self, found: re.Match[str]) -> None:
        text = found.group()
        if found["quote"]:
            self._enter(found["quote"])
        elif text[0] == "\n":
            self._line(len(text), found["first"])
        elif text in "([{":
            self._deeper()
            self._enter(text)
        elif text in ")]}":
            self._leave()
        elif text in ",;":
            self._forget()
        elif text == ":" and len(self._open) > 1 and self._open[-2].sign in (*_STRINGS, ":"):
            self._enter(text)
        elif found["level"]:
            self._deeper()

    def _text(self, text: str) -> None:
        """In an f-string: a replacement field opens, or a field, a form or the string itself ends."""
        sign = self._open[-1].sign
        if text == "{":
            self._enter(text)
        elif text == "}" and sign == ":":
            self._leave()
            self._leave()
        elif text == sign or (text == "\n" and len(sign) == 1):
            self._leave()

    def _line(self, indentation: int, first: str | None) -> None:
        if len(self._open) > 1 and first in _STATEMENTS:
            self._start()
        if len(self._open) > 1 or first is None:  # within brackets, or a blank line
            return
        self._forget()
        self._of_case = first == "case"
        while self._indentations and self._indentations[-1][0] > indentation:
            self._indentations.pop()
        before = 0
        if self._indentations and self._indentations[-1][0] == indentation:
            before = self._indentations.pop()[1]
        following = before + 1 if first == "elif" else 0
        self._indentations.append((indentation, following))
        self.levels = max(self.levels, following)

    def _deeper(self) -> None:
        self._open[-1].levels += 1
        self._within += 1
        self.levels = max(self.levels, self._within)

    def _forget(self) -> None:
        self._within -= self._open[-1].levels
        self._open[-1].levels = 0

    def _enter(self, sign: str) -> None:
        self._open.append(_Open(sign))
        self.brackets = max(self.brackets, len(self._open) - 1)
        if self._of_case:
            braces = sum(one.sign == "{" for one in self._open[-_FEW:])
            self.in_pattern = max(self.in_pattern, len(self._open) - 1 + braces)

    def _leave(self) -> None:
        if len(self._open) > 1:
            self._forget()
            self._open.pop()
