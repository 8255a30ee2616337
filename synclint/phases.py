"""Where the time of a run goes: seconds of CPU by phase."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

DISCOVER, GATE, PARSE, ANALYSE, REPORT = "discover", "gate", "parse", "analyse", "report"
PHASES = (DISCOVER, GATE, PARSE, ANALYSE, REPORT)


class Phases:
    """Adds up the CPU time of phases. What happens in a phase within another is counted there, and only there.

    ``clock`` gives the seconds of CPU so far.
    """

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = 0.0

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count the time of a block under a name."""
        self._count()
        self._open.append(name)
        try:
            yield
        finally:
            self._count()
            self._open.pop()

    def add(self, seconds: Mapping[str, float]) -> None:
        """Add what another process has counted."""
        for name, counted in seconds.items():
            self._seconds[name] += counted

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds so far, by phase."""
        return dict(self._seconds)

    def _count(self) -> None:
        now = self._clock()
        if self._open:
            self._seconds[self._open[-1]] += now - self._since
        self._since = now


def uncounted() -> Phases:
    """Phases for a run of which nobody asks where its time goes: to look at the clock costs time, too."""
    return Phases(clock=float)
