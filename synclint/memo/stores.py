"""Where what is kept of a project stands: in files of the cache, or in the memory of a process that stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


class Store(Protocol):
    """Entries by their keys."""

    def read_bytes(self, key: str) -> bytes | None:
        """What an entry holds; None where there is none that can be trusted."""

    def write_bytes(self, bodies: Mapping[str, bytes]) -> None:
        """Keep entries by their keys, if that can be."""

    def note_use(self, key: str) -> None:
        """Remember that an entry was of use."""


@dataclass
class ProcessStore:
    """Entries that a process holds for itself."""

    _bodies: dict[str, bytes] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    def read_bytes(self, key: str) -> bytes | None:
        """What an entry holds."""
        self._used.add(key)
        return self._bodies.get(key)

    def write_bytes(self, bodies: Mapping[str, bytes]) -> None:
        """Keep entries."""
        self._bodies.update(bodies)
        self._used.update(bodies)

    def note_use(self, key: str) -> None:
        """Remember that an entry was of use."""
        self._used.add(key)

    def forget_unused(self) -> None:
        """Forget what nobody has asked for since this was last done."""
        self._bodies = {key: body for key, body in self._bodies.items() if key in self._used}
        self._used = set()
