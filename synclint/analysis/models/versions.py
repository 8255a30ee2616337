"""Which entries of the catalogue hold for the releases that a project uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from synclint.catalog.entries import Entry


@cache
def release(text: str) -> tuple[int, ...]:
    """The numbers of a release: ``"2.13.0+cpu"`` is (2, 13, 0)."""
    numbers = re.match(r"\d+(\.\d+)*", text)
    # No release has numbers as long as this, and Python refuses to read one of thousands of digits.
    return tuple(int(part[:9]) for part in numbers.group().split(".")) if numbers else ()


def applies(entry: Entry, versions: Mapping[str, str]) -> bool:
    """Whether the host waits in the release in use; where none is named, in the newest that the catalogue knows."""
    used = versions.get(entry.library or "torch")
    if used is None:
        used = NEWEST.get(entry.library or "torch")
        if used is None:
            return entry.until is None
    numbers = release(used)
    if entry.since is not None and numbers < release(entry.since):
        return False
    if entry.until is not None:
        last = release(entry.until)
        return numbers[: len(last)] <= last
    return True


NEWEST = {"torch": "2.13", "torchmetrics": "1.9"}
