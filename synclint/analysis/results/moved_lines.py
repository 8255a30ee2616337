"""What was seen of a project, after lines of one of its files have moved: the same, at other places."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeVar, cast

import msgspec

Seen = TypeVar("Seen")

# Numbers of lines, in a record with a path or within one.
_LINES = frozenset({"line", "end_line"})
# What is written in a program names no place, whatever it looks like.
_AS_WRITTEN = frozenset({"subject", "literal", "name"})
# A function or loop by its file, line and column.
_KEY = re.compile(r"(?s)(.+):(\d+):(\d+)")


@dataclass(frozen=True)
class MovedFile:
    """A file whose lines have moved: its resolved path, what a run calls it, and where each line stands now."""

    real_path: str
    path: str
    lines: Callable[[int], int]

    def text(self, text: str) -> str:
        """The key of a function or loop, or a text that may name places in the file: ``train.py:12``."""
        if not any(name in text for name in self.names):
            return text
        key = _KEY.fullmatch(text)
        if key is not None:
            return f"{key[1]}:{self.lines(int(key[2]))}:{key[3]}" if key[1] == self.real_path else text
        return self._places.sub(lambda found: f"{found[1]}{self.lines(int(found[2]))}", text)

    @cached_property
    def names(self) -> frozenset[str]:
        """What it is called: a run over other files that imports it knows its resolved path alone."""
        return frozenset({self.path, self.real_path})

    @cached_property
    def _places(self) -> re.Pattern[str]:
        names = "|".join(map(re.escape, sorted(self.names, key=len, reverse=True)))
        return re.compile(rf"(?<![^\s`(])((?:{names}):)(\d+)\b")


def moved(seen: Seen, file: MovedFile, *, is_here: bool = False) -> Seen:
    """What was seen, with the lines of a file where they are now, in all that it holds.

    Records with a ``path`` tell of that file, and so does what stands in a mapping under a path; ``is_here`` says that
    of all others.
    """
    return cast(Seen, _Moving(file).moved(seen, is_here))


class _Moving:
    def __init__(self, file: MovedFile) -> None:
        self._file = file
        self._names = [name.encode(errors="surrogatepass") for name in file.names]

    def moved(self, seen: Any, is_here: bool) -> Any:  # noqa: ANN401 - whatever records hold
        kind: type = type(seen)
        if kind is str:
            text = self._file.text(seen)
            return seen if text == seen else text
        if kind is tuple or kind is frozenset:
            made = [self.moved(each, is_here) for each in seen]
            return seen if all(map(_is_same, made, seen)) else kind(made)
        if kind is dict:
            names = self._file.names
            return {
                self.moved(key, is_here): self.moved(held, is_here or (type(key) is str and key in names))
                for key, held in seen.items()
            }
        fields = _fields_of(kind)
        return self._moved_record(seen, fields, is_here) if fields and (is_here or self._is_told_in(seen)) else seen

    def _is_told_in(self, record: object) -> bool:
        """Whether a record may name the file: most of what was seen elsewhere does not, and this is soon told."""
        try:
            written = msgspec.msgpack.encode(record)
        except UnicodeEncodeError:  # the name of a file that no text can tell
            return True
        return any(name in written for name in self._names)

    def _moved_record(self, seen: Any, fields: tuple[str, ...], is_here: bool) -> Any:  # noqa: ANN401
        path = getattr(seen, "path", None)
        if type(path) is str:
            is_here = path in self._file.names
        before = [getattr(seen, name) for name in fields]
        now = [self._moved_field(name, value, is_here) for name, value in zip(fields, before, strict=True)]
        return seen if all(map(_is_same, now, before)) else type(seen)(*now)

    def _moved_field(self, name: str, value: Any, is_here: bool) -> Any:  # noqa: ANN401
        if name in _LINES:
            return self._file.lines(value) if is_here else value
        if name in _AS_WRITTEN:
            return value
        return self.moved(value, is_here)


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The names of a record's fields, in the order in which it is made of them; none for anything else."""
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    return tuple(getattr(kind, "_fields", ()))


def _is_same(now: object, before: object) -> bool:
    return now is before or (type(now) is int and now == before)
