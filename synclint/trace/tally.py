"""Counts waits as they happen: a run may have millions of them, and few places where they do."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from synclint.trace.records import ObservedWait, WaitSite


@dataclass
class _Site:
    counts: dict[int, int] = field(default_factory=dict)


class Tally:
    """Waits by all that they have in common; may be added to by several threads."""

    def __init__(self) -> None:
        self._sites: dict[ObservedWait, _Site] = {}
        self._lock = threading.Lock()

    def add(self, wait: ObservedWait, step: int) -> None:
        """One more ``wait``, in ``step``."""
        with self._lock:
            counts = self._sites.setdefault(wait, _Site()).counts
            counts[step] = counts.get(step, 0) + 1

    def sites(self) -> tuple[WaitSite, ...]:
        """What was counted, in the order in which places were seen first."""
        with self._lock:
            return tuple(WaitSite(wait, tuple(sorted(site.counts.items()))) for wait, site in self._sites.items())
