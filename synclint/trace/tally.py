"""Counts waits as they happen: a run may have millions of them, and few places where they do."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from synclint.trace.records import ObservedWait, WaitSite

_MOST_KNOWN = 10_000


@dataclass
class _Site:
    counts: dict[int, int] = field(default_factory=dict)


class Tally:
    """Waits by all that they have in common; may be added to by several threads."""

    def __init__(self) -> None:
        self._sites: dict[ObservedWait, _Site] = {}
        # Recorders give the same object for waits that are equal, where they can: a deep stack takes long to compare.
        self._known: dict[int, tuple[ObservedWait, _Site]] = {}
        self._lock = threading.Lock()

    def add(self, wait: ObservedWait, step: int) -> None:
        """One more ``wait``, in ``step``."""
        with self._lock:
            known = self._known.get(id(wait))
            if known is None:
                site = self._sites.setdefault(wait, _Site())
                if len(self._known) < _MOST_KNOWN:
                    self._known[id(wait)] = wait, site
            else:
                site = known[1]
            site.counts[step] = site.counts.get(step, 0) + 1

    def sites(self) -> tuple[WaitSite, ...]:
        """What was counted, in the order in which places were seen first."""
        with self._lock:
            return tuple(WaitSite(wait, tuple(sorted(site.counts.items()))) for wait, site in self._sites.items())
