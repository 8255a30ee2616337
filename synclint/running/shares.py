"""Divides the files of a project into shares: what one engine analyses together."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synclint.running.survey import CodeFile


# What files of a share have in common is analysed once; what two shares have in common, twice. A project is divided
# for as many processes as people have cores, unless it is small, and beyond that only for want of memory: then for a
# multiple, so that no core is left with nothing to do while the last share is analysed.
SHARE_BYTES = 2_000_000
_USUAL_CORES = 4
_LARGEST_SHARE_BYTES = 8_000_000
# Edits that leave a file about as large as it was shall leave it in its share; an empty one is work, too.
_COUNTED_BYTES = 4096
_SMALLEST_BYTES = 1536
# A file is analysed in the time in which so many of its size are parsed.
_ANALYSIS_IN_PARSES = 8


def shares_of(files: Sequence[CodeFile]) -> list[tuple[CodeFile, ...]]:
    """The files, in the order of their paths, divided into shares of about the same work.

    Those that need no more than to be parsed come last: the others have more in common with one another.
    """
    ordered = sorted(files, key=lambda file: (not file.has_torch_in_reach, file.path))
    sizes = [size_of(file) for file in ordered]
    total = sum(sizes)
    rounds = ceil(total / (_USUAL_CORES * _LARGEST_SHARE_BYTES))
    count = max(1, min(round(total / SHARE_BYTES), _USUAL_CORES * max(1, rounds)))
    divided: list[list[CodeFile]] = [[] for _ in range(count)]
    before = 0
    for file, size in zip(ordered, sizes, strict=True):
        divided[min(before * count // total, count - 1)].append(file)
        before += size
    return [tuple(share) for share in divided if share]


def size_of(file: CodeFile) -> int:
    """How much there is to be done, in characters to be analysed."""
    size = _SMALLEST_BYTES + _COUNTED_BYTES * round(len(file.source) / _COUNTED_BYTES)
    return size if file.has_torch_in_reach else size // _ANALYSIS_IN_PARSES
