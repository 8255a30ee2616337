"""Lines that are no longer than those of the file: what is too long is broken within brackets, as formatters do."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence
from itertools import pairwise

_INDENT = "    "
# What formatters allow by default, and at most, as a rule.
_USUAL, _LONGEST = 88, 120


def width_of(lines: Sequence[str]) -> int:
    """How long the lines of a file may be: as those are that it has.

    Imports depend on the names of others, and lines with comments may be longer than what formatters allow.
    """
    own = (line.rstrip() for line in lines if "#" not in line and not line.startswith(("import ", "from ")))
    found = max((length for line in own if (length := len(line)) <= _LONGEST), default=_USUAL)
    return max(found, _USUAL)


def laid_out(line: str, width: int) -> str | None:
    """A line, broken with ``\\n`` where it is longer than a width; None where no pair of brackets can be broken."""
    indent = line[: len(line) - len(line.lstrip())]
    tokens = _tokens(line)
    if tokens is None:
        return line if len(line) <= width else None
    comment = next((token for token in tokens if token.type == tokenize.COMMENT), None)
    code = (line if comment is None else line[: comment.start[1]]).rstrip()
    rest = "" if comment is None else f"  {comment.string}"
    if len(code) <= width:
        return line
    step = "\t" if indent.startswith("\t") else _INDENT
    start, words = _value(tokens)
    value = code[start:]
    is_choice = "else" in words and len(indent) + len(step) + len(value) <= width
    parts = _parts(value) if "," in words else [value] if is_choice else []
    lines = [laid_out(f"{indent}{step}{part}", width) for part in parts]
    if lines and None not in lines and words.isdisjoint({"lambda", ":", ";", "="}):
        return "\n".join([f"{code[:start]}({rest}", *filter(None, lines), f"{indent})"])
    # The last ones that hold arguments or elements, as formatters do; an index is broken where nothing else is left.
    for start, end in sorted(_brackets(tokens), key=lambda pair: (_is_subscript(code, pair[0]), -pair[0])):
        head, inner, tail = code[: start + 1], code[start + 1 : end], code[end:]
        if not inner.strip() or len(head) > width or len(indent) + len(tail) > width:
            continue
        whole = f"{indent}{step}{inner.strip()}"
        parts = [] if len(whole) <= width else _parts(inner)
        lines = [laid_out(f"{indent}{step}{part}", width) for part in parts] if parts else [whole]
        if not parts and len(whole) > width:
            continue
        if lines and None not in lines:
            return "\n".join([head + rest, *filter(None, lines), f"{indent}{tail}"])
    return None


def broken(before: str, line: str, after: str, width: int) -> str | None:
    """A line between two others, broken where it is longer than a width: at commas where it is all that brackets hold.

    None where it cannot be broken, or a backslash continues the line before, or this one: formatters leave those alone.
    """
    is_continued = any(one.rstrip().endswith("\\") for one in (before, line))
    is_whole = before.rstrip().endswith(("(", "[", "{")) and after.lstrip().startswith((")", "]", "}"))
    indent = line[: len(line) - len(line.lstrip())]
    parts = _parts(line.strip()) if is_whole else []
    made = [laid_out(f"{indent}{part}", width) for part in parts]
    found = "\n".join(filter(None, made)) if made and None not in made else laid_out(line, width)
    return None if is_continued and found is not None and "\n" in found else found


def _is_subscript(code: str, start: int) -> bool:
    before = code[:start][-1:]
    return code[start] == "[" and (before.isidentifier() or before.isdigit() or before in (")", "]"))


def _tokens(line: str) -> list[tokenize.TokenInfo] | None:
    """The tokens of a line that has all brackets that it opens; None for another one."""
    found: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.strip()).readline):
            shift = len(line) - len(line.lstrip())
            start, end = (token.start[0], token.start[1] + shift), (token.end[0], token.end[1] + shift)
            found.append(token._replace(start=start, end=end))
    except (tokenize.TokenError, SyntaxError):
        return None
    return found


def _value(tokens: Sequence[tokenize.TokenInfo]) -> tuple[int, set[str]]:
    """The column where what is assigned or returned begins, and the tokens in it that are not within brackets."""
    depth, start, words = 0, 0, set[str]()
    for token, after in pairwise(tokens):
        if token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        elif not depth and not start and token.string in ("=", "return"):
            start = after.start[1]
        elif not depth and start:
            words.add(token.string)
    return start, words


def _brackets(tokens: Sequence[tokenize.TokenInfo]) -> Iterator[tuple[int, int]]:
    """The columns of the brackets that are not within others."""
    depth, start = 0, 0
    for token in tokens:
        if token.type == tokenize.OP and token.string in "([{":
            start = start if depth else token.start[1]
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
            if not depth:
                yield start, token.start[1]


def _parts(inner: str) -> list[str]:
    """What stands between brackets, one line for each argument or element, or for each clause of a comprehension."""
    tokens = _tokens(inner)
    if tokens is None:
        return []
    depth, commas, clauses, is_comprehension = 0, [], [], False
    for token in tokens:
        if token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        elif not depth and token.string == ",":
            commas.append(token.end[1])
        elif not depth and token.string in ("for", "if", "async") and token.type == tokenize.NAME:
            clauses.append(token.start[1])
            is_comprehension = is_comprehension or token.string == "for"
    places = clauses if is_comprehension else commas
    if not places or (is_comprehension and min(commas, default=len(inner)) < clauses[0]):
        return []
    parts = [inner[a:b].strip() for a, b in zip([0, *places], [*places, len(inner)], strict=True)]
    parts = [part for part in parts if part]
    return parts if is_comprehension else [part if part.endswith(",") else f"{part}," for part in parts]
