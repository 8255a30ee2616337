"""Which parts of Python source are comments, strings, numbers and keywords, as far as it can be told."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Sequence

# The class of a part, and where it begins and ends in its line, counted from 0.
Part = tuple[str, int, int]

_CLASSES = {tokenize.COMMENT: "comment", tokenize.STRING: "string", tokenize.NUMBER: "literal"}
# Those of f-strings, which Python 3.12 and newer divide into tokens.
_F_STRINGS = {"FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"}
# Nobody reads a source of this size in a browser, and each of its characters would be looked at.
_MOST_CHARACTERS = 2**20


def colored_parts(lines: Sequence[str]) -> dict[int, list[Part]]:
    """The parts of each line that have a colour, by the number of the line, which counts from 1.

    What cannot be divided into tokens, such as IPython's lines in a cell, ends the colours, not the report.
    """
    parts: dict[int, list[Part]] = {}
    if sum(map(len, lines)) > _MOST_CHARACTERS:
        return parts
    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(f"{line}\n" for line in lines)).readline):
            kind = _kind(token)
            if kind is not None:
                _add(parts, kind, token, lines)
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return parts


def _kind(token: tokenize.TokenInfo) -> str | None:
    if token.type == tokenize.NAME:
        return "keyword" if keyword.iskeyword(token.string) else None
    return "string" if tokenize.tok_name[token.type] in _F_STRINGS else _CLASSES.get(token.type)


def _add(parts: dict[int, list[Part]], kind: str, token: tokenize.TokenInfo, lines: Sequence[str]) -> None:
    (first, start), (last, end) = token.start, token.end
    for number in range(first, min(last, len(lines)) + 1):
        begins = start if number == first else 0
        ends = end if number == last else len(lines[number - 1])
        if begins < ends:
            parts.setdefault(number, []).append((kind, begins, ends))
