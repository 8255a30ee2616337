"""What is found when somebody asks for it: of most functions nobody asks what each of their calls tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

V = TypeVar("V")


class FoundLater(Mapping[str, V]):
    """What ``find`` gives for some ``keys``, each once; those for which it gives None are left out."""

    def __init__(self, keys: Iterable[str], find: Callable[[str], V | None]) -> None:
        self._keys = dict.fromkeys(keys)
        self._find = find
        self._found: dict[str, V | None] = {}

    def __getitem__(self, key: str) -> V:
        """What is found for a key."""
        if key not in self._found:
            self._found[key] = self._find(key) if key in self._keys else None
        found = self._found[key]
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        """The keys for which there is something, in their order."""
        return (key for key in self._keys if key in self)

    def __len__(self) -> int:
        """For how many keys there is something."""
        return sum(1 for _ in self)
