"""What is known of a list or tuple after something has been taken from it, or put to it.

Of one whose length is not known, its beginning may be: ``outputs += (weights,)`` behind a condition leaves what stood
there before where it was.
"""

from __future__ import annotations

from synclint.analysis.domain.values import LONGEST_SEQUENCE, UNKNOWN, Sequence, Value, join, join_all


def item_at(sequence: Sequence, index: int) -> Value:
    """The element at a position, which counts from the end where it is negative."""
    items = sequence.items
    if items is not None and -len(items) <= index < len(items):
        return items[index]
    if items is None and index >= 0:
        return sequence.first[index] if index < len(sequence.first) else sequence.element
    return sequence.any_item


def part_between(sequence: Sequence, low: int, high: int | None) -> Sequence:
    """The elements from position ``low`` up to ``high``, None for all that follow."""
    items, first = sequence.items, sequence.first
    if items is not None:
        return Sequence(sequence.kind, items[low:high])
    if low < 0 or (high is not None and high < 0):
        return Sequence(sequence.kind, None, sequence.any_item)
    if high is not None and high <= len(first):
        return Sequence(sequence.kind, first[low:high])
    return Sequence(sequence.kind, None, sequence.element, first[low:])


def concatenated(left: Sequence, right: Sequence) -> Sequence:
    """One after the other."""
    if right.items == ():
        return left
    if left.items is None:
        return Sequence(left.kind, None, join(left.element, right.any_item), left.first)
    if right.items is None:
        return _beginning_with(left.kind, left.items + right.first, right.element)
    if len(left.items) + len(right.items) <= LONGEST_SEQUENCE:
        return Sequence(left.kind, left.items + right.items)
    return _beginning_with(left.kind, left.items, right.any_item)


def extended(sequence: Sequence, value: Value) -> Sequence:
    """A sequence to whose end ``value`` has been put, nobody knows how often."""
    if sequence.items is None:
        return Sequence(sequence.kind, None, held_besides(sequence.element, value), sequence.first)
    return _beginning_with(sequence.kind, sequence.items, value)


def with_inserted(sequence: Sequence, value: Value) -> Sequence:
    """A sequence into which ``value`` has been put, nobody knows where."""
    is_empty = sequence.items == ()
    return Sequence(sequence.kind, None, value if is_empty else held_besides(sequence.any_item, value))


def _beginning_with(kind: str, first: tuple[Value, ...], element: Value) -> Sequence:
    return Sequence(kind, None, join_all([element, *first[LONGEST_SEQUENCE:]]), first[:LONGEST_SEQUENCE])


def held_besides(known: Value, value: Value) -> Value:
    """What is put into a container says what it holds where nothing else does."""
    return value if known == UNKNOWN else join(known, value)
