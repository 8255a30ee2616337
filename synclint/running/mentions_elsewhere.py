"""Whether anything in the other files of a project may be concerned by names that an edit has changed in one.

By what they mention, or because what one file defines orders it among others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from synclint.analysis.program.content_order import definitions_in
from synclint.analysis.syntax.edited_lines import EditedLines
from synclint.running.survey import CodeFile

_WORD = re.compile(rb"\w+")
_TOP = re.compile(r"\n(?:async )?(?:def|class) +(\w+)")
_TOP_BYTES = re.compile(_TOP.pattern.encode())


def concerns_others(before: CodeFile, after: CodeFile, lines: EditedLines, paths: Iterable[str]) -> bool:
    """Whether names that differ in two texts of a file may be meant in the other files at ``paths``, or of others.

    What a module imports is known to those alone that mention the module, by its name or by another one that somebody
    gives it. For whom a package imports something is told by more than that.
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
    sought = [name.encode() for name in names]
    stem = after.path.stem.encode()
    known_as, using = {stem}, []
    for path in paths:
        try:
            data = Path(path).read_bytes()
        except OSError:
            continue
        if stem in data:
            known_as.update(re.findall(rb"\b%s\s+as\s+(\w+)" % re.escape(stem), data))
        if any(name in data for name in sought):
            words = {*_WORD.findall(data)}
            if not words.isdisjoint(sought):
                using.append(words)
    everywhere = {name.encode() for name in names - lines.imported | lines.names_in_classes}
    return any(not (words.isdisjoint(everywhere) and words.isdisjoint(known_as)) for words in using)


def _has_place(before: CodeFile, after: CodeFile, paths: Iterable[str]) -> bool:
    """Whether a file that defines something else has the place among others that it had.

    Those in its folder are ordered by all that they define, and functions and classes of one name by their files.
    """
    own = {name.encode() for name in _TOP.findall(f"\n{before.source}\n{after.source}")}
    for path in paths:
        if not path.endswith(".py"):
            continue
        try:
            data = Path(path).read_bytes()
        except OSError:
            continue
        if any(name in own for name in _TOP_BYTES.findall(data)):
            return False
        if Path(path).parent in (after.real_path.parent, after.path.absolute().parent):
            there = definitions_in(data.decode(errors="replace"))
            places = [(there < each.definitions, there == each.definitions) for each in (before, after)]
            if places != [places[0], (places[0][0], False)]:
                return False
    return True


def _is_asked_for(name: str, *files: CodeFile) -> bool:
    """Whether something else than an object of the class may be asked for its attribute, in the file itself."""
    asked = re.compile(rf"(?<!\bself)(?<!\bcls)\.{name}\b|[\"']{name}[\"']")
    return any(asked.search(file.source) is not None for file in files)
