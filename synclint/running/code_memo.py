"""The texts of a project's files as earlier runs knew them, by which an edit of comments is told from one of code.

What the analysis finds out about a file rests on its code, and much of what was learned from another text of it holds
on the lines of today. What is kept tells by hashes from which texts it was learned.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import msgspec

from synclint.analysis.syntax.moved_code import MovedCode
from synclint.memo.packed import packed, unpacked, unwritten
from synclint.memo.stores import Store
from synclint.running.same_code import mentions_the_same, same_code_elsewhere
from synclint.running.survey import CodeFile
from synclint.sources.decoding import UnreadableSourceError, read_source

# Older texts of a file that parts of what is kept may have been learned from.
_MOST_OLDER = 4


@dataclass(frozen=True)
class _CodeEntry:
    """What is kept of a file with a hash: its ``texts`` by their hashes, the latest last.

    They are packed by themselves: most runs need few.
    """

    state: str
    texts: bytes


@dataclass(frozen=True)
class EditedText:
    """A text as it was and as it is, and where its code has moved, if it is the same.

    ``mentions_the_same`` tells that what may be a name is the same.
    """

    before: str
    after: str
    code: MovedCode | None
    mentions_the_same: bool


@dataclass
class CodeMemo:
    """The texts of one project's Python files in ``entries`` under ``key``, by their resolved paths."""

    entries: Store
    key: str
    _read: dict[str, dict[str, str]] = field(default_factory=dict)
    _seen: dict[tuple[str, str], str] = field(default_factory=dict)
    _edits: dict[tuple[str, str, str], EditedText | None] = field(default_factory=dict)
    _asked: set[tuple[str, str]] = field(default_factory=set)

    def edit(self, path: str, before: str, now: str) -> EditedText | None:
        """How the text at a path with the hash ``now`` differs from the one that had the hash ``before``.

        None where one of them is not known.
        """
        path = os.path.realpath(path)
        if (path, before, now) not in self._edits:
            old, new = self.text_of(path, before), self.text_now(path, now)
            self._edits[path, before, now] = (
                None
                if old is None or new is None
                else EditedText(old, new, same_code_elsewhere(old, new), mentions_the_same(old, new))
            )
        return self._edits[path, before, now]

    def text_of(self, path: str, state: str) -> str | None:
        """The text with a hash that was at a path; None where that is not known."""
        path = os.path.realpath(path)
        self._asked.add((path, state))
        return self._before(path).get(state)

    def text_now(self, path: str, state: str) -> str | None:
        """The text at a resolved path, where there is a file whose hash is ``state``; None where no text was known."""
        before = self._before(path)
        if state in before or not before:
            return before.get(state)
        if (path, state) not in self._seen:
            try:
                self._seen[path, state] = read_source(Path(path))
            except UnreadableSourceError:
                return None
        return self._seen[path, state]

    def forget(self, path: str) -> None:
        """Forget the texts at a resolved path, where nobody can say which of them was read."""
        texts = {known: kept for known, kept in self._kept.items() if known != path}
        self.entries.write_bytes({self.key: msgspec.msgpack.encode(texts)})

    def write(self, states: Mapping[CodeFile, str]) -> None:
        """Write the texts of files, which have these hashes."""
        with suppress(UnicodeEncodeError):  # for the name of a file that no text can tell
            texts = {
                path: self._to_keep(path, file, state)
                for file, state in states.items()
                if file.embedded is None and (path := str(file.real_path)).endswith(".py")
            }
            if texts != self._kept:
                self.entries.write_bytes({self.key: msgspec.msgpack.encode(texts)})

    def _to_keep(self, path: str, file: CodeFile, state: str) -> _CodeEntry:
        """What is to be kept of a file with this hash: also older texts from which something that is kept was learned.

        For all that is known these are those that were asked for, and the last one.
        """
        kept = self._kept.get(path)
        if kept is not None and kept.state == state:
            return kept
        before = {one: text for one, text in self._before(path).items() if one != state}
        last = None if kept is None else kept.state
        needed = [one for one in before if one == last or (path, one) in self._asked]
        texts = {one: before[one] for one in needed[-_MOST_OLDER:]}
        return _CodeEntry(state, packed({**texts, state: file.source}))

    def _before(self, path: str) -> dict[str, str]:
        """The texts at a resolved path that are kept, by their hashes."""
        if path not in self._read:
            kept = self._kept.get(path)
            texts = None if kept is None else unpacked(kept.texts, dict[str, str])
            self._read[path] = texts or {}
        return self._read[path]

    @cached_property
    def _kept(self) -> dict[str, _CodeEntry]:
        return unwritten(self.entries.read_bytes(self.key), dict[str, _CodeEntry]) or {}
