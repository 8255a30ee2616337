"""What tells the contexts of events in each file of a project, kept between runs.

Of what a run knows of all files together it is what concerns the functions of one, so that another look at these needs
nothing of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from secrets import token_hex

import msgspec

from synclint.analysis.frequency.contexts import KnownContexts
from synclint.analysis.frequency.file_contexts import ELSEWHERE
from synclint.analysis.program.entry_points import Reach
from synclint.memo.packed import packed, unpacked, unwritten
from synclint.memo.stores import Store


@dataclass(frozen=True)
class KnownReach:
    """What a run found to be reached in a project, as ``Reach`` tells it."""

    unreached: Mapping[str, frozenset[str]]
    untrained: frozenset[str]
    tried: frozenset[str]
    projects: Mapping[str, int]
    on_host: frozenset[str]


@dataclass(frozen=True)
class _ContextEntry:
    """What a ``run`` knew of files by their resolved paths, and what it found to be reached, each packed by itself."""

    run: str
    files: dict[str, bytes]
    reach: bytes


@dataclass(frozen=True)
class ContextMemo:
    """What the latest run over one project knew, in ``entries`` under ``key``."""

    entries: Store
    key: str

    def write(self, contexts: Mapping[str, KnownContexts], reach: Reach) -> str:
        """Keep what a run knew of files by their resolved paths; what identifies the run, empty for one without."""
        run = token_hex(16)
        with suppress(UnicodeEncodeError):  # for the name of a file that no text can tell
            found = KnownReach(reach.unreached, reach.untrained, reach.tried, reach.projects, reach.on_host)
            kept = _ContextEntry(run, {path: packed(known) for path, known in contexts.items()}, packed(found))
            self.entries.write_bytes({self.key: msgspec.msgpack.encode(kept)})
            return run
        return ""

    def find(self, run: str, path: str) -> KnownContexts | None:
        """What a run knew of the file at a resolved path; None where that is not known any longer."""
        kept = self._kept
        if kept is None or kept.run != run:
            return None
        return unpacked(kept.files.get(path, kept.files.get(ELSEWHERE)), KnownContexts)

    def reach(self, run: str) -> KnownReach | None:
        """What a run found to be reached; None where that is not known any longer."""
        kept = self._kept
        return None if kept is None or kept.run != run else unpacked(kept.reach, KnownReach)

    @cached_property
    def _kept(self) -> _ContextEntry | None:
        return unwritten(self.entries.read_bytes(self.key), _ContextEntry)
