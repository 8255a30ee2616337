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
    return is_within(
        entry.since, entry.until, versions.get(entry.library or "torch", NEWEST.get(entry.library or "torch"))
    )


def is_within(since: str | None, until: str | None, used: str | None) -> bool:
    """Whether a release is none before ``since`` and none after ``until``; None is the newest of all."""
    if used is None:
        return until is None
    numbers = release(used)
    if since is not None and numbers < release(since):
        return False
    if until is not None:
        last = release(until)
        return numbers[: len(last)] <= last
    return True


NEWEST = {"torch": "2.13", "torchmetrics": "1.9"}
