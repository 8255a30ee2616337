"""What each text of a project says by itself, kept between runs: it holds as long as the text is the same."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b

import msgspec

from synclint.analysis.program.mentioned import Mentioned, mentioned
from synclint.memo.packed import packed, unpacked, unwritten
from synclint.memo.stores import Store


@dataclass
class TextMemo:
    """What the texts of one project define and mention, in ``entries`` under ``key``, by their hashes."""

    entries: Store
    key: str
    _said: dict[str, Mentioned] = field(default_factory=dict)
    _asked: dict[str, bytes] = field(default_factory=dict)

    def said(self, text: str) -> Mentioned:
        """What a text says."""
        state = blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
        if state not in self._said:
            kept = self._kept.get(state)
            known = unpacked(kept, Mentioned)
            self._said[state] = said = mentioned(text) if known is None else known
            with suppress(UnicodeEncodeError):  # for text that cannot be written, which is asked for each time
                self._asked[state] = packed(said) if kept is None or known is None else kept
        return self._said[state]

    def write(self) -> None:
        """Write what was asked for since the last run."""
        if self._asked.keys() != self._kept.keys():
            self.entries.write_bytes({self.key: msgspec.msgpack.encode(self._asked)})

    @cached_property
    def _kept(self) -> dict[str, bytes]:
        return unwritten(self.entries.read_bytes(self.key), dict[str, bytes]) or {}
