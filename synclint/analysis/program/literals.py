"""The code of a text without its comments, and with what its strings mention in their place.

A string mentions names if it could be one, such as ``"resnet50"`` or ``"models.resnet50"``, and what is formatted into
it; docstrings and messages mention nothing.
"""

from __future__ import annotations

import re

# Stands for the part of a name that is not known: `"loss_" + kind`, `f"{kind}_loss"`.
ANY = "\x00"
# Stands in a docstring with an example for readers.
EXAMPLE = "\x01"
# What a string mentions is no name of the file's own: it is written as an attribute of what nobody has.
_NOBODYS = "0."
# Each way begins with another letter: so Python looks for these letters, instead of trying each way everywhere.
_LITERAL = re.compile(r"#|\"(?:\"\")?|'(?:'')?")
# Where each kind of string may end, and what is skipped in it; one that is not closed ends with its line.
_ENDS_OF_LONG = {'"""': re.compile(r'\\.|"""', re.DOTALL), "'''": re.compile(r"\\.|'''", re.DOTALL)}
_ENDS = {'"': re.compile(r'\\.|"|\n', re.DOTALL), "'": re.compile(r"\\.|'|\n", re.DOTALL)} | _ENDS_OF_LONG
# So far back somebody looks for the beginning of a line that a docstring begins.
_LONGEST_INDENTATION = 200
_PREFIX = frozenset("rRbBuUfF")
_IN_BRACES = re.compile(r"\{([^{}]*)\}")
_IS_NAME = re.compile(r"[\w.:/-]{2,200}")
_IS_PART = re.compile(r"[\w.]{0,100}(?:%[sd]|\{[^{}]{0,100}\})[\w.]{0,100}")
_HOLE = re.compile(r"%[sd]|\{[^{}]{0,100}\}")


def without_literals(source: str) -> str:
    """The code of a text, with what its strings mention in the place of them, and without comments."""
    parts: list[str] = []
    passed = 0
    while (found := _LITERAL.search(source, passed)) is not None:
        start, quotes = found.start(), found[0]
        if quotes == "#":
            parts.append(source[passed:start])
            line = source.find("\n", start)
            passed = line if line >= 0 else len(source)
            continue
        first = start
        while first > max(passed, start - 2) and source[first - 1] in _PREFIX:
            first -= 1
        parts.append(source[passed:first])
        end = next((each for each in _ENDS[quotes].finditer(source, found.end()) if each[0][0] != "\\"), None)
        text = source[found.end() : end.start() if end is not None else len(source)]
        passed = len(source) if end is None else end.start() if end[0] == "\n" else end.end()
        if quotes in _ENDS_OF_LONG and _begins_line(source, first):
            parts.append(f"'{EXAMPLE}'" if ">>>" in text else "''")
        else:
            parts.append(_in_string(text, is_format="f" in source[first:start].lower()))
    return "".join((*parts, source[passed:]))


def _begins_line(source: str, start: int) -> bool:
    earliest = max(0, start - _LONGEST_INDENTATION)
    line = source.rfind("\n", earliest, start)
    return (line >= 0 or not earliest) and not source[line + 1 : start].strip()


def _in_string(text: str, *, is_format: bool) -> str:
    """What a string mentions, as code."""
    inner = " ".join(_IN_BRACES.findall(text)).replace("\n", " ") if is_format and "{" in text else ""
    if _IS_NAME.fullmatch(text):
        names = re.split(r"[.:/-]", text)
        parts = [f"{name}{ANY}" for name in names if name.endswith("_") and not name.endswith("__")]
        parts += [f"{ANY}{name}" for name in names if name.startswith("_") and not name.startswith("__")]
        # A path may be for somebody who has not been seen, a name alone is for those of the project.
        told = [f"{_NOBODYS}{name}" for name in names] if len(names) > 1 else [f"{_NOBODYS}{text} ()"]
        return f" {' '.join((*told, *parts))} "
    if ("{" in text or "%" in text) and _IS_PART.fullmatch(text):
        begin, *_, end = _HOLE.split(text)
        begin, end = begin.rpartition(".")[2], end.partition(".")[0]
        parts = [f"{begin}{ANY}"] if begin else []
        parts += [f"{ANY}{end}"] if end else []
        return f" {inner} {' '.join(parts)} "
    return f" {inner} "
