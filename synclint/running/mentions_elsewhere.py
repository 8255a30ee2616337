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
    texts = list(map(_text_at, paths))
    if mentioned is not None and any(mentioned.search(text) is not None for text in texts):
        return True
    imported = names - everywhere
    return bool(imported) and any(map(_Taken(after.path.stem, imported, texts).is_in, texts))


class _Taken:
    """Where in some ``texts`` somebody may take names from a ``module`` that it imports itself."""

    def __init__(self, module: str, names: frozenset[str], texts: Iterable[str]) -> None:
        sought, own_name = _any_of(names), re.escape(module)
        other_name = re.compile(rf"\b{own_name} +as +(\w+)|\b(\w{{1,100}}) *= *(?:\w{{1,100}}\.){{0,8}}{own_name}\b")
        others = {name for text in texts for found in other_name.findall(text) for name in found if name}
        self._module = re.compile(rf"\b(?:{_any_of({module, *others})})\b")
        self._asked = re.compile(rf"(?<!\.)\.[ \t]*(?:{sought})\b|[\"'.](?:{sought})[\"']")
        self._listed = re.compile(rf"\b(?:{sought})\b")
        self._importing = re.compile(rf"\b{own_name}\s+import\b")

    def is_in(self, text: str) -> bool:
        """Whether a text asks the module for one of the names, looks one up, or imports one from it."""
        if self._module.search(text) is None:
            return False
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

    Those in its folder are ordered by all that they define, others by what they define first.
    """
    folders = (after.real_path.parent, after.path.absolute().parent)
    definitions = before.definitions, after.definitions
    leading = leading_definitions(before.definitions), leading_definitions(after.definitions)
    for path in paths:
        if path.endswith(".py"):
            there = definitions_in(_text_at(path))
            if not _stays_beside(leading_definitions(there), *leading):
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
