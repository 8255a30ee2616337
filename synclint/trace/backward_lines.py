"""The forward lines of waits in backward passes, where these run on the thread that started them.

So it is on the simulated device, where autograd has no thread of its own. Calls are watched in the first step, and in
the one after any in which a backward pass waited unwatched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from synclint.trace.call_watch import CallWatch
from synclint.trace.ownership import Ownership
from synclint.trace.records import ObservedWait, Origin

# A step in which nothing can be led to a line, as that of a graph made before, is not waited for for ever.
_MOST_STEPS = 5


@dataclass(frozen=True)
class Refinement:
    """A wait in a step that was watched, as it was announced and with the line that it belongs to."""

    announced: ObservedWait
    refined: ObservedWait
    step: int


class BackwardLines:
    """Watches steps, on the thread that calls ``start`` and ``step``."""

    def __init__(self, ownership: Ownership) -> None:
        self._calls = CallWatch(ownership)
        self._heard: list[tuple[ObservedWait, int, int]] = []
        self._is_wanted = True
        self._is_on = False
        self._tries = 0

    def start(self) -> None:
        """Watch the first step."""
        self._switch()

    def heard(self, wait: ObservedWait, step: int) -> None:
        """A wait; to be called on the thread that waits."""
        if wait.origin is not Origin.BACKWARD or wait.forward is not None:
            return
        node = torch._C._current_autograd_node() if self._is_on else None
        if node is not None:
            self._heard.append((wait, step, node._sequence_nr()))
        elif not self._heard:
            self._is_wanted = True

    def step(self) -> None:
        """A step is over."""
        if self._is_on:
            self._calls.off()
            self._is_on, self._is_wanted = False, False
        if self._is_wanted:
            self._switch()

    def stop(self) -> None:
        """Watch nothing more."""
        self._calls.off()
        self._is_on = False

    def refinements(self) -> tuple[Refinement, ...]:
        """What was found out."""
        calls = self._calls.calls()
        found = []
        for wait, step, sequence in self._heard:
            call = calls.making(sequence)
            if call is not None:
                refined = replace(wait, forward=call.place, library=call.library)
                found.append(Refinement(wait, refined, step))
        return tuple(found)

    def _switch(self) -> None:
        if self._tries < _MOST_STEPS:
            self._tries += 1
            self._is_on = True
            self._calls.on()
