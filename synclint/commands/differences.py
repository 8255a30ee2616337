"""Unified differences that ``patch`` and ``git apply`` read, whatever is in the names of files and in their lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file"
_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
}


def difference(
    before: str, after: str, name: str, *, is_obeyed: Callable[[str], bool] = lambda line: False
) -> Iterator[str]:
    """The lines of a unified difference between two texts of a file.

    A line is no context where ``is_obeyed`` says so: ``patch`` finds the place with less of it.
    """
    old, new = _lines(before), _lines(after)
    shown = shown_name(name)
    groups = SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_CONTEXT)
    hunks = [hunk for group in groups for hunk in _hunks(group, old, new, is_obeyed)]
    if hunks:
        yield f"--- {shown}"
        yield f"+++ {shown}"
    for hunk in hunks:
        removed = [line for sign, line, _, _ in hunk if sign != "+"]
        added = [line for sign, line, _, _ in hunk if sign != "-"]
        yield f"@@ -{_range(hunk[0][2], len(removed))} +{_range(hunk[0][3], len(added))} @@"
        for sign, line, _, _ in hunk:
            yield sign + line.removesuffix("\n")
            if not line.endswith("\n"):
                yield _NO_NEWLINE


# A sign, a line, and how many lines come before it in the one text and in the other.
_Line = tuple[str, str, int, int]


def _hunks(
    group: Sequence[tuple[str, int, int, int, int]],
    old: Sequence[str],
    new: Sequence[str],
    is_obeyed: Callable[[str], bool],
) -> Iterator[list[_Line]]:
    """The hunks of a group of changes: one, unless lines between them are to be left out."""
    hunk: list[_Line] = []
    for tag, old_start, old_end, new_start, new_end in group:
        if tag == "equal":
            for shift, line in enumerate(old[old_start:old_end]):
                if is_obeyed(f" {line}"):
                    yield from _of_changes(hunk)
                    hunk = []
                else:
                    hunk.append((" ", line, old_start + shift, new_start + shift))
            continue
        hunk += [("-", line, old_start + shift, new_start) for shift, line in enumerate(old[old_start:old_end])]
        hunk += [("+", line, old_end, new_start + shift) for shift, line in enumerate(new[new_start:new_end])]
    yield from _of_changes(hunk)


def _of_changes(hunk: list[_Line]) -> Iterator[list[_Line]]:
    if any(sign != " " for sign, _, _, _ in hunk):
        yield hunk


def _range(lines_before: int, count: int) -> str:
    """Where a hunk begins, and how long it is; an empty one is said to be behind the line before it."""
    start = lines_before + 1 if count else lines_before
    return str(start) if count == 1 else f"{start},{count}"


def shown_name(name: str) -> str:
    """A name as git writes it: quoted where there is something in it that cannot be seen, and with a tab behind blanks.

    One that begins with a blank is quoted, too, or ``patch`` does not find it. Source: ``quote.c``, ``diff.c`` of git.
    """
    if name.isprintable() and not {'"', "\\"} & {*name} and not name.startswith(" "):
        return f"{name}\t" if " " in name else name
    quoted = "".join(
        _ESCAPES.get(chr(byte)) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}") for byte in os.fsencode(name)
    )
    return f'"{quoted}"'


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [*(f"{part}\n" for part in parts[:-1]), *([parts[-1]] if parts[-1] else [])]
