"""Which lines of a text are new in it, compared with an older one.

The way is that of patience diff (Bram Cohen, 2010): lines that occur once in both texts hold them together, and what
lies between those is compared in the same way. The work grows with the number of lines, not with its square, whatever
the texts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

# Where no line occurs once, each is compared with each, unless there are more pairs than this: then all are new.
_MOST_PAIRS = 40_000
_DEEPEST = 20


def new_lines(old: bytes, new: bytes) -> tuple[range, ...]:
    """The numbers of the lines that are new in ``new``, which begin with 1. How lines end is no difference."""
    before, after = _lines(old), _lines(new)
    kept = set(_kept(before, after))
    ranges: list[range] = []
    start = None
    for index in range(len(after) + 1):
        is_new = index < len(after) and index not in kept
        if is_new and start is None:
            start = index
        elif not is_new and start is not None:
            ranges.append(range(start + 1, index + 1))
            start = None
    return tuple(ranges)


def _lines(text: bytes) -> list[bytes]:
    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return lines if lines[-1] else lines[:-1]


def similarity(one: Counter[bytes], other: Counter[bytes]) -> float:
    """How much two texts have in common, from 0 to 1, by the bytes of the lines that both have."""
    larger = max(_size(one), _size(other))
    return _size(one & other) / larger if larger else 0.0


def counted_lines(text: bytes) -> Counter[bytes]:
    """The lines of a text, for ``similarity``."""
    return Counter(_lines(text))


def _size(lines: Counter[bytes]) -> int:
    return sum((len(line) + 1) * count for line, count in lines.items())


def _kept(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[int]:
    """The indices of the lines of ``after`` that come from ``before``."""
    # Parts that are still to be compared: where they begin and end in both texts, and within how many others they lie.
    parts = [(0, len(before), 0, len(after), 0)]
    while parts:
        low, high, first, last, depth = parts.pop()
        while low < high and first < last and before[low] == after[first]:
            yield first
            low, first = low + 1, first + 1
        while low < high and first < last and before[high - 1] == after[last - 1]:
            high, last = high - 1, last - 1
            yield last
        if low == high or first == last:
            continue
        anchors = _anchors(before[low:high], after[first:last]) if depth < _DEEPEST else []
        if anchors:
            for number, (old, new) in enumerate([*anchors, (high - low, last - first)]):
                past_old, past_new = anchors[number - 1] if number else (0, 0)
                # Each part begins with the line that holds it, which is the same in both.
                parts.append((low + past_old, low + old, first + past_new, first + new, depth + 1))
        elif (high - low) * (last - first) <= _MOST_PAIRS:
            yield from (first + index for index in _longest_common(before[low:high], after[first:last]))


def _anchors(before: Sequence[bytes], after: Sequence[bytes]) -> list[tuple[int, int]]:
    """Where lines are that occur once in both texts: the longest row of them that is in the same order."""
    once_before, once_after = _once(before), _once(after)
    pairs = [(index, once_after[line]) for line, index in once_before.items() if line in once_after]
    # The longest increasing subsequence: `tops` has the least end of a row of each length.
    tops: list[int] = []
    rows: list[int] = []
    previous: list[int | None] = []
    for number, (_, new) in enumerate(pairs):
        length = bisect_left(tops, new)
        previous.append(rows[length - 1] if length else None)
        if length == len(tops):
            tops.append(new)
            rows.append(number)
        else:
            tops[length] = new
            rows[length] = number
    found: list[tuple[int, int]] = []
    at = rows[-1] if rows else None
    while at is not None:
        found.append(pairs[at])
        at = previous[at]
    return found[::-1]


def _longest_common(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[int]:
    """The indices in ``after`` of the longest row of lines that both texts have, in the same order."""
    # `lengths[i][j]` is how many lines are common to what follows the first i and the first j lines.
    lengths = [[0] * (len(after) + 1)]
    for line in reversed(before):
        below = lengths[-1]
        row = [0] * (len(after) + 1)
        for index in range(len(after) - 1, -1, -1):
            row[index] = below[index + 1] + 1 if after[index] == line else max(below[index], row[index + 1])
        lengths.append(row)
    lengths.reverse()
    old = new = 0
    while old < len(before) and new < len(after):
        if before[old] == after[new]:
            yield new
            old, new = old + 1, new + 1
        elif lengths[old + 1][new] >= lengths[old][new + 1]:
            old += 1
        else:
            new += 1


def _once(lines: Sequence[bytes]) -> dict[bytes, int]:
    counts = Counter(lines)
    return {line: index for index, line in enumerate(lines) if counts[line] == 1}
