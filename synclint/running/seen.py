"""What was seen in one file, from which its report is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.expression_facts import Fact, Facts, NodePosition

_Written: TypeAlias = tuple[list[SyncEvent], list[tuple[NodePosition, Fact]]]


@dataclass(frozen=True)
class SeenInFile:
    """The waits in a file, and facts about the expressions around those that can be fixed."""

    events: list[SyncEvent]
    facts: Facts


def written_seen(seen: SeenInFile) -> bytes:
    """What was seen, in MessagePack: equal for what is equal. Raises UnicodeEncodeError for text without a code."""
    return msgspec.msgpack.encode([seen.events, list(seen.facts.items())], order="deterministic")


def seen_of(written: bytes) -> SeenInFile:
    """What ``written_seen`` was given. Raises msgspec.MsgspecError for anything else."""
    events, facts = msgspec.msgpack.decode(written, type=_Written)
    return SeenInFile(events, dict(facts))
