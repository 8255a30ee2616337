"""What lists, tuples and dictionaries hold, also after something has been taken from them or put into them.

Of a list whose length is not known, its beginning may be: ``outputs += (weights,)`` behind a condition leaves what
stood there before where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from synclint.analysis.domain.callables import instance_of
from synclint.analysis.domain.lattice import join, join_all
from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    HOLDING,
    LONGEST_SEQUENCE,
    MOST_PARTS,
    NEVER,
    PLAIN,
    STRING,
    Alternatives,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Mapping,
    Scalar,
    Sequence,
    Text,
    Value,
    is_known,
)


def any_item(container: Sequence | Mapping) -> Value:
    """What one element of a sequence, or one value of a dictionary, may be.

    The answer is remembered with the container: a list that a thousand calls hand on is gone through once.
    """
    kept = vars(container)
    if _ANY_ITEM not in kept:
        kept[_ANY_ITEM] = _any_item(container)
    known: Value = kept[_ANY_ITEM]
    return known


_ANY_ITEM = "any item"


def _any_item(container: Sequence | Mapping) -> Value:
    if isinstance(container, Mapping):
        return join_all([*(value for _, value in container.entries), container.element])
    if container.items is None:
        return join_all([*container.first, container.element]) if container.first else container.element
    return join_all(container.items)


def objects_in(value: Value) -> Value | None:
    """The project's objects, functions and classes that a value may be or hold; None where there are none.

    Of objects nothing is kept but their classes.
    """
    if isinstance(value, Instance):
        return value if value.shared else instance_of(value.record) if value.record is not None else None
    if isinstance(value, (ClassValue, FunctionValue)):
        return value
    if isinstance(value, Alternatives):
        found = [one for one in map(objects_in, value.options) if one is not None]
        return join_all(found) if found else None
    if isinstance(value, (Sequence, Mapping)):
        held = objects_in(any_item(value)) if value.extent.height < DEEPEST_NESTING else None
        if held is None:
            return None
        return Sequence(value.kind, None, held) if isinstance(value, Sequence) else Mapping((), held)
    return None


def tells_nothing(value: Value) -> bool:
    """Whether a value may be anything, or holds what may be."""
    if isinstance(value, Sequence):
        return not value.known and value.items is None and tells_nothing(value.element)
    if isinstance(value, Mapping):
        return not value.entries and tells_nothing(value.element)
    return not is_known(value)


def mapping(entries: dict[str, Value], element: Value) -> Mapping:
    """A dictionary; of one with very many keys only what any of them may be is kept."""
    if len(entries) > LONGEST_SEQUENCE:
        return Mapping((), join_all([*entries.values(), element]))
    return Mapping(tuple(entries.items()), element)


def meant_by(held: Mapping, key: Value | None) -> Value:
    """What a dictionary has under a key that is no literal: of few texts, what stands under these, else anything."""
    choices = key.choices if isinstance(key, Text) else ()
    if choices and all(choice in held.by_key for choice in choices):
        return join_all(held.by_key[choice] for choice in choices)
    return any_item(held)


def updated(left: Mapping, right: Mapping) -> Mapping:
    """The first dictionary after the entries of the second have been put into it."""
    entries = {key: join(value, right.element) for key, value in left.entries}
    return mapping({**entries, **right.by_key}, join(left.element, right.element))


def keys_of(held: Mapping) -> Sequence:
    """The keys of a dictionary, one by one where it has no others."""
    if held.entries and held.element == NEVER and len(held.entries) <= LONGEST_SEQUENCE:
        return Sequence("list", tuple(Text(key) for key, _ in held.entries))
    return Sequence("iterator", None, STRING)


def filled(held: Value | None, others: Value) -> Value:
    """What a container holds after all that another one of its kind holds has been put into it."""
    if isinstance(others, Mapping):
        return updated(held, others) if isinstance(held, Mapping) else others
    if isinstance(others, Sequence) and isinstance(held, Sequence):
        return extended(held, any_item(others))
    return others


def item_at(sequence: Sequence, index: int) -> Value:
    """The element at a position, which counts from the end where it is negative."""
    items = sequence.items
    if items is not None and -len(items) <= index < len(items):
        return items[index]
    if items is None and index >= 0:
        return sequence.first[index] if index < len(sequence.first) else sequence.element
    return any_item(sequence)


def part_between(sequence: Sequence, low: int, high: int | None) -> Sequence:
    """The elements from position ``low`` up to ``high``, None for all that follow."""
    items, first = sequence.items, sequence.first
    if items is not None:
        return Sequence(sequence.kind, items[low:high])
    if low < 0 or (high is not None and high < 0):
        return Sequence(sequence.kind, None, any_item(sequence))
    if high is not None and high <= len(first):
        return Sequence(sequence.kind, first[low:high])
    return Sequence(sequence.kind, None, sequence.element, first[low:])


def concatenated(left: Sequence, right: Sequence) -> Sequence:
    """One after the other."""
    if right.items == ():
        return left
    if left.items is None:
        return Sequence(left.kind, None, join(left.element, any_item(right)), left.first)
    if right.items is None:
        return _beginning_with(left.kind, left.items + right.first, right.element)
    if len(left.items) + len(right.items) <= LONGEST_SEQUENCE:
        return Sequence(left.kind, left.items + right.items)
    return _beginning_with(left.kind, left.items, any_item(right))


def extended(sequence: Sequence, value: Value) -> Sequence:
    """A sequence to whose end ``value`` has been put, nobody knows how often."""
    if sequence.items is None:
        return Sequence(sequence.kind, None, held_besides(sequence.element, value), sequence.first)
    return _beginning_with(sequence.kind, sequence.items, value)


def with_inserted(sequence: Sequence, value: Value) -> Sequence:
    """A sequence into which ``value`` has been put, nobody knows where."""
    is_empty = sequence.items == ()
    return Sequence(sequence.kind, None, value if is_empty else held_besides(any_item(sequence), value))


def _beginning_with(kind: str, first: tuple[Value, ...], element: Value) -> Sequence:
    return Sequence(kind, None, join_all([element, *first[LONGEST_SEQUENCE:]]), first[:LONGEST_SEQUENCE])


def held_besides(known: Value, value: Value) -> Value:
    """What is put into a container says what it holds where nothing else does."""
    return join(known, value) if is_known(known) else value


def as_part(value: Value) -> Value:
    """The value as it is kept in a container or in the fields of an object.

    Values are compared, joined and looked through part by part. So what nests deeply, or has very many parts, is
    left out in there, and only the kind of value stays: ``x = [x, x]``, written sixty times, would have as many parts
    as a memory has bytes. So would ``x = Output(x.loss, x.cache)``: an attribute of which nothing is known holds its
    object. Of an object, what it was given itself stays: how a loader was set, whatever its dataset is made of.
    """
    if type(value) in PLAIN or not isinstance(value, HOLDING) or _is_shallow(value):
        return value
    if isinstance(value, Instance):
        return replace(value, fields=tuple((name, _kind_of(held)) for name, held in value.fields))
    return _taken_apart(value, as_part)


def _kind_of(value: Value) -> Value:
    """What kind of value something is, without what it holds: of an object, how it was set remains."""
    if not isinstance(value, Instance):
        return _taken_apart(value, _kind_of)
    return replace(value, fields=tuple((name, held) for name, held in value.fields if isinstance(held, Scalar)))


def _taken_apart(value: Value, part_of: Callable[[Value], Value]) -> Value:
    """A value without what it holds, where it stands for others with what ``part_of`` leaves of those."""
    if isinstance(value, Sequence):
        return Sequence(value.kind)
    if isinstance(value, Alternatives):
        return join_all(map(part_of, value.options))
    if isinstance(value, BoundMethod):
        return BoundMethod(part_of(value.receiver), value.name)
    if isinstance(value, FunctionValue):
        return replace(value, receiver=None if value.receiver is None else part_of(value.receiver))
    return Mapping() if isinstance(value, Mapping) else value


def _is_shallow(value: Sequence | Mapping | Instance | FunctionValue | BoundMethod | Alternatives) -> bool:
    if isinstance(value, Instance) and not value.fields:
        return True
    return value.extent.height <= DEEPEST_NESTING + 1 and value.extent.parts <= MOST_PARTS


def has_no_elements(value: Value) -> bool:
    """Whether data holds nothing, at any depth: ``[]``, ``[[], []]``."""
    return isinstance(value, Sequence) and value.items is not None and all(map(has_no_elements, value.items))
