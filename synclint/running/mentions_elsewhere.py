"""Whether anything in the other files of a project may be concerned by names that an edit has changed in one.

By what they mention, or because what one file defines orders it among others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from synclint.analysis.program.content_order import definitions_in, leading_definitions
from synclint.analysis.syntax.edited_lines import EditedLines
from synclint.running.survey import CodeFile

_TOP = re.compile(r"\n(?:async )?(?:def|class) +(\w+)")


def concerns_others(before: CodeFile, after: CodeFile, lines: EditedLines, paths: Iterable[str]) -> bool:
    """Whether names that differ in two texts of a file may be meant in the other files at ``paths``, or of others.

    What a module imports is known to those alone that import it from there, ask something for it, or look it up. For
    whom a package imports something is told by more than that.
    """
    names = lines.names | lines.names_in_classes
    if not names:
        return False
    if after.path.stem == "__init__" or any(_is_asked_for(name, before, after) for name in lines.names_in_classes):
        return True
    own = {str(after.real_path), str(after.path.absolute())}
    paths = [path for path in paths if path not in own]
    is_new = before.definitions != after.definitions
    if is_new and not _has_place(before, after, paths):
        return True
    everywhere = names - lines.imported | lines.names_in_classes
    mentioned = re.compile(rf"\b(?:{_any_of(everywhere)})\b") if everywhere else None
    taken = _Taken(after.path.stem, names - everywhere) if names - everywhere else None
    return any(
        (mentioned is not None and mentioned.search(text) is not None) or (taken is not None and taken.is_in(text))
        for text in map(_text_at, paths)
    )


class _Taken:
    """Where somebody may take names from a ``module`` that it imports itself."""

    def __init__(self, module: str, names: frozenset[str]) -> None:
        sought = _any_of(names)
        self._asked = re.compile(rf"(?<!\.)\.[ \t]*(?:{sought})\b|[\"'.](?:{sought})[\"']")
        self._listed = re.compile(rf"\b(?:{sought})\b")
        self._importing = re.compile(rf"\b{re.escape(module)}\s+import\b")

    def is_in(self, text: str) -> bool:
        """Whether a text asks something for one of the names, looks one up, or imports one from the module."""
        if self._asked.search(text) is not None:
            return True
        ends = (found.end() for found in self._importing.finditer(text))
        return any(self._listed.search(text, end, _end_of_names(text, end)) is not None for end in ends)


def _end_of_names(text: str, start: int) -> int:
    """Where the names end that stand behind an ``import``."""
    rest = text[start : start + 80].lstrip(" \t\\\n")
    end = text.find(")" if rest.startswith("(") else "\n", start)
    return len(text) if end < 0 else end


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names)))


def _text_at(path: str) -> str:
    try:
        return Path(path).read_bytes().decode(errors="replace")
    except OSError:
        return ""


def _has_place(before: CodeFile, after: CodeFile, paths: Iterable[str]) -> bool:
    """Whether a file that defines something else has the place among others that it had.

    Those in its folder are ordered by all that they define, and functions and classes of one name by what their files
    define first.
    """
    own = {*_TOP.findall(f"\n{before.source}\n{after.source}")}
    folders = (after.real_path.parent, after.path.absolute().parent)
    definitions = before.definitions, after.definitions
    for path in paths:
        if not path.endswith(".py"):
            continue
        text = _text_at(path)
        is_alike = any(name in own for name in _TOP.findall(f"\n{text}"))
        if not is_alike and Path(path).parent not in folders:
            continue
        there = definitions_in(text)
        if is_alike and not _stays_beside(leading_definitions(there), *map(leading_definitions, definitions)):
            return False
        if Path(path).parent in folders and not _stays_beside(there, *definitions):
            return False
    return True


_Ordered = TypeVar("_Ordered", str, tuple[str, ...])


def _stays_beside(other: _Ordered, before: _Ordered, after: _Ordered) -> bool:
    """Whether something comes before another one as it did, or behind it."""
    return other not in (before, after) and (other < before) is (other < after)


def _is_asked_for(name: str, *files: CodeFile) -> bool:
    """Whether something else than an object of the class may be asked for its attribute, in the file itself."""
    asked = re.compile(rf"(?<!\bself)(?<!\bcls)\.{name}\b|[\"']{name}[\"']")
    return any(asked.search(file.source) is not None for file in files)
