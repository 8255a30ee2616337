"""The texts of a project's files as earlier runs knew them, by which an edit of comments is told from one of code.

What the analysis finds out about a file rests on its code. A text that differs from the one before in comments alone
is therefore given the same identity, and whatever was kept for that identity still holds. Where more has changed, the
text before is kept as well: much of what was learned from it may hold on the lines of today.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import msgspec

from synclint.analysis.syntax.edited_bodies import MovedLines
from synclint.analysis.syntax.moved_code import MovedCode
from synclint.memory.entry_files import Entries
from synclint.memory.packed import packed, unpacked
from synclint.running.same_code import is_same_besides_code, mentions_the_same, same_code_elsewhere
from synclint.running.survey import CodeFile
from synclint.sources.code_ends import changed_comments, code_ends
from synclint.sources.decoding import UnreadableSourceError, read_source

# Older texts of a file that parts of what is kept may have been learned from.
_MOST_OLDER = 4


@dataclass(frozen=True)
class _KeptText:
    """The text of a file, the hash of what is on disk, and that of the first text with the same code on these lines.

    ``older`` are texts that it had before, by what identifies them, the latest last.
    """

    state: str
    identity: str
    text: str
    older: dict[str, str]


@dataclass(frozen=True)
class _KeptCode:
    """What is kept of a ``_KeptText``: its ``texts``, older ones last, are packed by themselves: most runs need few."""

    state: str
    identity: str
    texts: bytes


@dataclass(frozen=True)
class CodeSince:
    """How code has changed, and whether what may be a name in it is the same."""

    code: MovedCode
    mentions_the_same: bool


@dataclass(frozen=True)
class EditedText:
    """A text as it was and as it is; where its code has moved, and which functions have other bodies.

    There is no ``code`` where more than bodies may differ, or functions that define others have other bodies.
    """

    before: str
    after: str
    code: MovedCode | None
    mentions_the_same: bool


@dataclass
class KeptCode:
    """The texts of one project's Python files in ``entries`` under ``key``, by their resolved paths."""

    entries: Entries
    key: str
    _read: dict[str, _KeptText | None] = field(default_factory=dict)
    _seen: dict[str, _KeptText] = field(default_factory=dict)
    _since: dict[tuple[str, str, str], CodeSince | None] = field(default_factory=dict)
    _asked: set[tuple[str, str]] = field(default_factory=set)

    def identity(self, path: str, state: str) -> str:
        """The identity of the code at a path, where there is a file whose hash is ``state``."""
        kept = self._kept.get(path)
        if kept is not None and kept.state == state:
            return kept.identity
        known = self._now(os.path.realpath(path), state) if self._kept else None
        return state if known is None else known.identity

    def since(self, path: str, identity: str, state: str) -> CodeSince | None:
        """What has become of the code that had an ``identity`` at a path, where there is a file of ``state`` now.

        None where that is not known, or more than bodies of functions is other code.
        """
        path = os.path.realpath(path)
        known = self._now(path, state)
        before = None if known is None else known.older.get(identity)
        if known is None or before is None:
            return None
        self._asked.add((path, identity))
        if (path, identity, state) not in self._since:
            found = same_code_elsewhere(before, known.text)
            since = None if found is None else CodeSince(found, mentions_the_same(before, known.text))
            self._since[path, identity, state] = since
        return self._since[path, identity, state]

    def text_of(self, path: str, identity: str) -> str | None:
        """The text that had an ``identity`` at a path; None where that is not known."""
        path = os.path.realpath(path)
        known = self._before(path)
        if known is None:
            return None
        self._asked.add((path, identity))
        return known.text if identity in (known.identity, known.state) else known.older.get(identity)

    def text_now(self, path: str, state: str) -> str | None:
        """The text at a resolved path, where there is a file whose hash is ``state``; None where no text is known."""
        known = self._now(path, state)
        return None if known is None else known.text

    def _now(self, path: str, state: str) -> _KeptText | None:
        """What is at a resolved path, where there is a file whose hash is ``state``."""
        before = self._before(path)
        if before is None or not path.endswith(".py") or before.state == state:
            return before if before is not None and before.state == state else None
        known = self._seen.get(path)
        if known is None or known.state != state:
            try:
                text = read_source(Path(path))
            except UnreadableSourceError:
                return None
            known = self._seen[path] = _text_after(before, state, text)
        return known

    def edit(self, path: str, before: str, now: str) -> EditedText | None:
        """How the text at a resolved path differs from the one with the hash ``before``.

        None where that text is not known.
        """
        known, kept = self._now(path, now), self._before(path)
        if known is None or kept is None:
            return None
        text = kept.text if kept.state == before else kept.older.get(before)
        if text is None:
            return None
        if kept.state == before and known.identity == kept.identity:
            code: MovedCode | None = MovedCode(MovedLines((), ()))
        else:
            code = same_code_elsewhere(text, known.text)
        return EditedText(text, known.text, code, mentions_the_same(text, known.text))

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

    def _to_keep(self, path: str, file: CodeFile, state: str) -> _KeptCode:
        """What is to be kept of a file with this hash."""
        kept = self._kept.get(path)
        if kept is not None and kept.state == state:
            return kept
        text = self._with_needed(path, self._now(path, state) or _KeptText(state, state, file.source, {}))
        return _KeptCode(state, text.identity, packed((text.text, text.older)))

    def _with_needed(self, path: str, text: _KeptText) -> _KeptText:
        """A text with those older ones that something which is kept was learned from, for all that is known."""
        before = self._before(path)
        if before is None:
            return text
        needed = [one for one in text.older if one == before.identity or (path, one) in self._asked]
        return replace(text, older={one: text.older[one] for one in needed[-_MOST_OLDER:] if one != text.identity})

    def _before(self, path: str) -> _KeptText | None:
        """The text at a resolved path as it is kept; None where none is."""
        if path not in self._read:
            kept = self._kept.get(path)
            texts = None if kept is None else unpacked(kept.texts, tuple[str, dict[str, str]])
            self._read[path] = None if kept is None or texts is None else _KeptText(kept.state, kept.identity, *texts)
        return self._read[path]

    @cached_property
    def _kept(self) -> dict[str, _KeptCode]:
        body = self.entries.read_bytes(self.key)
        try:
            return {} if body is None else msgspec.msgpack.decode(body, type=dict[str, _KeptCode])
        except msgspec.MsgspecError:
            return {}


def _text_after(before: _KeptText, state: str, text: str) -> _KeptText:
    """What a text is after the one before."""
    is_in_place = changed_comments(before.text, text, code_ends(before.text)) is not None
    if is_in_place and is_same_besides_code(before.text, text):
        return _KeptText(state, before.identity, text, before.older)
    return _KeptText(state, state, text, {**before.older, before.identity: before.text})
