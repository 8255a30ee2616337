"""What was seen in one file, from which its report is made."""

from __future__ import annotations

from dataclasses import dataclass

from synclint.analysis.results.events import SyncEvent
from synclint.analysis.results.expression_facts import Facts


@dataclass(frozen=True)
class Seen:
    """The waits in a file, and facts about the expressions around those that can be fixed."""

    events: list[SyncEvent]
    facts: Facts
