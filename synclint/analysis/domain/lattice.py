"""The order of the abstract values: what is common to two of them (``join``).

The values are a lattice. Its bottom is ``NEVER``, its top ``ANYTHING``. A value is a set of options, of each kind of
value one: two tensors join to one tensor, two lists to one list. Only objects, classes, functions and modules are told
apart by name, up to a number beyond which they become one option that takes in all of them (``callables``). So the join
is the same in any order, and nothing that has been forgotten comes back.

``UNKNOWN`` is an option beside others, and not above them: something of which nothing is known is as a rule not what
the other branch has made, and what is known of that is kept. Options stand in one order (``keys``), so that equal
values are equal. Where a tensor comes from is no part of the order.

Joining finds the least upper bound and loses nothing else; lists in lists may grow without end by it. ``widen`` ends.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import Any

from synclint.analysis.domain.callables import NAMED, distinguished
from synclint.analysis.domain.keys import RANKS, key_of
from synclint.analysis.domain.paces import joined_pace
from synclint.analysis.domain.tensors import join_device, join_tensors
from synclint.analysis.domain.values import (
    ANY_OBJECT,
    ANYTHING,
    DEEPEST_NESTING,
    NEVER,
    STRING,
    UNKNOWN,
    Alternatives,
    Array,
    BoundMethod,
    Breadth,
    Device,
    DeviceName,
    DType,
    DTypeName,
    Instance,
    Mapping,
    Never,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)


def join(first: Value, second: Value) -> Value:
    """The least value that is above two: what is one or the other."""
    if first is second:
        return first
    kind, other = type(first), type(second)
    if kind is Never:
        return second
    if other is Never:
        return first
    if kind is Alternatives:
        return _joined_before(first, second, _AFTER)
    if other is Alternatives:
        return _joined_before(second, first, _BEFORE)
    if kind is other:
        if first == second:
            return first
        joined = _JOINS.get(kind)
        if joined is not None:
            return joined(first, second)
    elif _stays_beside_others(first) and _stays_beside_others(second):
        return Alternatives((first, second) if RANKS[kind] < RANKS[other] else (second, first))
    return _one_of((first, second))


def _stays_beside_others(value: Value) -> bool:
    """Whether an option stays what it is beside one of another kind, and takes in nothing of that."""
    if isinstance(value, Instance):
        return not value.shared
    return not isinstance(value, Unknown) or value.breadth <= Breadth.ONE


# What an alternative was joined with is remembered with it, under these and the identity of the other, as far as it is
# not too much: the same objects meet again and again, in scopes and in arguments.
_BEFORE, _AFTER = "joined before", "joined after"
_MOST_REMEMBERED = 16


def _joined_before(alternatives: Value, other: Value, side: str) -> Value:
    """The join of alternatives and another value, which stands on one ``side`` of them."""
    kept = vars(alternatives)
    known: dict[int, tuple[Value, Value]] | None = kept.get(side)
    if known is None:
        known = kept[side] = {}
    found = known.get(id(other))
    if found is not None:
        return found[1]
    joined = _with_one_more(alternatives, other, side) if type(other) is not Alternatives else None
    if joined is None:
        first, second = (alternatives, other) if side is _AFTER else (other, alternatives)
        joined = first if first == second else _one_of((*options(first), *options(second)))
    if len(known) < _MOST_REMEMBERED:
        known[id(other)] = other, joined
    return joined


def _with_one_more(alternatives: Value, option: Value, side: str) -> Value | None:
    """What `_one_of` makes of alternatives and another option, found without making it anew; None where it has to.

    Most options are among the alternatives already, or are of a kind of which there is one at most.
    """
    choices = options(alternatives)
    kind = type(option)
    is_one_of_its_kind = kind in _KEPT_APART
    for at, choice in enumerate(choices):
        if choice is option:
            return alternatives
        if is_one_of_its_kind and type(choice) is kind:
            joined = _join_of_slot(choice, option) if side is _AFTER else _join_of_slot(option, choice)
            return alternatives if joined is choice else Alternatives((*choices[:at], joined, *choices[at + 1 :]))
    if not is_one_of_its_kind:
        return None
    rank = RANKS[kind]
    at = sum(RANKS[type(choice)] < rank for choice in choices)
    return Alternatives((*choices[:at], option, *choices[at:]))


def join_all(values: Iterable[Value]) -> Value:
    """A value that is one of several; unknown for none."""
    result: Value = NEVER
    for value in values:
        if result is NEVER:
            result = value
        elif value is not result:
            result = join(result, value)
    return UNKNOWN if result is NEVER else result


def _one_of(candidates: Iterable[Value]) -> Value:
    """The least value above some options, in its canonical form."""
    slots: dict[Hashable, Value] = {}
    has_names = False
    for option in candidates:
        kind: type = type(option)
        slot: Hashable = kind
        if kind in NAMED:
            slot, has_names = _slot(option), True
        known = slots.get(slot)
        if known is None:
            slots[slot] = option
        elif known is not option:
            slots[slot] = _join_of_slot(known, option)
    slots.pop(Never, None)
    found = list(slots.values())
    if len(found) > 1:
        unknown = slots.get(Unknown)
        if has_names or unknown == ANYTHING:
            found = _within_limits(found, unknown)
    if len(found) < 2:
        return found[0] if found else NEVER
    if has_names and len({type(option) for option in found}) < len(found):
        found.sort(key=_order)  # only of options of one kind the keys decide
    else:
        found.sort(key=_rank)
    return Alternatives(tuple(found))


def _rank(option: Value) -> int:
    return RANKS[type(option)]


def _slot(option: Value) -> Hashable:
    """What two options have in common that join to one."""
    if isinstance(option, Instance):
        return option.name, option.record, bool(option.shared)
    kind: type = type(option)
    if kind is BoundMethod:
        return _slot_of_method(option)
    if kind in NAMED:
        return option
    return kind


def _slot_of_method(method: Value) -> Hashable:
    """Methods of one name of values of one kind are one, and those of objects that are told apart are several."""
    assert isinstance(method, BoundMethod)
    kind = type(method.receiver)
    return (kind, method.name) if kind in _KEPT_APART else method


def _join_of_slot(first: Value, second: Value) -> Value:
    if first is second or first == second:
        return first
    joined: Value = _JOINS[type(first)](first, second)
    return joined


def _order(option: Value) -> tuple[int, str]:
    kind = type(option)
    return RANKS[kind], _key_of(option) if kind in NAMED else ""


def _key_of(option: Value) -> str:
    """The key of an option, which it remembers: an object is joined to others again and again."""
    kept = vars(option)
    if _KEY not in kept:
        kept[_KEY] = key_of(option)
    known: str = kept[_KEY]
    return known


_KEY = "key"


def _within_limits(found: list[Value], unknown: Value | None) -> list[Value]:
    """Options among which too many names have become one that takes in all of them."""
    breadth = unknown.breadth if isinstance(unknown, Unknown) else Breadth.ONE
    if breadth is Breadth.EVERYTHING:
        return [ANYTHING]
    named = [option for option in found if type(option) in NAMED]
    kept = distinguished(named) if breadth <= Breadth.ONE else None
    if kept is not None and len(kept) == len(named) and not any(map(_is_crowd, named)):
        return found
    others = [option for option in found if type(option) not in NAMED]
    if kept is not None:
        return others + kept
    return [*(option for option in others if not isinstance(option, Unknown)), ANY_OBJECT]


def _is_crowd(option: Value) -> bool:
    return isinstance(option, Instance) and bool(option.shared)


# Kinds of which none takes in another, whatever the values.
_KEPT_APART = frozenset(RANKS) - NAMED - {Unknown, Never, Alternatives}


# --- joins of two different values of one kind -----------------------------------------------------------


def _join_unknown(first: Unknown, second: Unknown) -> Value:
    return first if first.breadth > second.breadth else second


def _join_sequences(first: Sequence, second: Sequence) -> Value:
    """Two lists: where their lengths differ, the shorter one tells how many positions are known."""
    kind = first.kind if first.kind == second.kind else "sequence"
    if first.items is not None and second.items is not None and len(first.items) == len(second.items):
        return Sequence(kind, tuple(map(join, first.items, second.items)))
    common = tuple(map(join, first.known, second.known))
    element: Value = NEVER
    for one in (first, second):
        for other in one.known[len(common) :]:
            element = join(element, other)
        if one.items is None:
            element = join(element, one.element)
    return Sequence(kind, None, element, common)


def _join_mappings(first: Mapping, second: Mapping) -> Value:
    """Two dictionaries: what only one of them says of a key, the other says of any key."""
    mine, yours = first.by_key, second.by_key
    keys = mine.keys() | yours.keys()
    entries = ((key, join(mine.get(key, first.element), yours.get(key, second.element))) for key in keys)
    return Mapping(tuple(entries), join(first.element, second.element))


def _join_instances(first: Instance, second: Instance) -> Value:
    if _slot(first) != _slot(second):
        return _one_of((first, second))
    if first.shared:
        return replace(first, shared=tuple(one for one in first.shared if one in second.shared))
    mine, yours = dict(first.fields), dict(second.fields)
    both = sorted(mine.keys() & yours.keys())
    return replace(first, fields=tuple((key, join(mine[key], yours[key])) for key in both))


def _join_methods(first: BoundMethod, second: BoundMethod) -> Value:
    if _slot(first) != _slot(second):
        return _one_of((first, second))
    return BoundMethod(join(first.receiver, second.receiver), first.name)


def _join_scalars(first: Scalar, second: Scalar) -> Value:
    kind = first.kind if first.kind == second.kind else "number"
    return Scalar(kind, pace=joined_pace(first, second) if first.pace is not None or second.pace is not None else None)


_MOST_TEXTS = 4


def _join_texts(first: Text, second: Text) -> Value:
    """One of few texts, where either is."""
    choices = {*first.choices, *second.choices}
    are_told = first.choices and second.choices and len(choices) <= _MOST_TEXTS
    return Text(None, tuple(sorted(choices))) if are_told else STRING


def _join_arrays(first: Array, second: Array) -> Value:
    return Array(
        first.dtype if first.dtype is second.dtype else DType.UNKNOWN,
        first.ndim if first.ndim == second.ndim else None,
    )


def join_device_names(first: DeviceName, second: DeviceName) -> DeviceName:
    """Of two places the one that a program means where it has a GPU: it is that which it names itself."""
    is_named = first.is_named or second.is_named
    if Device.DEVICE in (first.device, second.device):
        return DeviceName(Device.DEVICE, is_named)
    return DeviceName(join_device(first.device, second.device), is_named)


def _join_dtype_names(first: DTypeName, second: DTypeName) -> Value:
    return DTypeName()


_JOINS: dict[type, Callable[[Any, Any], Value]] = {
    Unknown: _join_unknown,
    Tensor: join_tensors,
    Scalar: _join_scalars,
    Text: _join_texts,
    Sequence: _join_sequences,
    Mapping: _join_mappings,
    Array: _join_arrays,
    DeviceName: join_device_names,
    DTypeName: _join_dtype_names,
    Instance: _join_instances,
    BoundMethod: _join_methods,
}


# --- widening ----------------------------------------------------------------------------------------------


def widen(before: Value, after: Value) -> Value:
    """A value above both, such that a value that is widened again and again stops changing.

    What can grow without end is given up: new keys of a dictionary are one of any, and what containers hold in
    containers, further within than ``DEEPEST_NESTING``, is anything.
    """
    joined = join(before, after)
    return before if joined == before else _widened(before, joined, DEEPEST_NESTING)


def _widened(before: Value, joined: Value, depth: int) -> Value:
    """What a value that has grown is widened to; ``joined`` is above ``before``."""
    if joined is before or joined == before:
        return joined
    known = {_slot(option): option for option in options(before) if type(option) in _HOLDING}
    return _one_of(
        [
            _widened_option(known.get(_slot(option)), option, depth) if type(option) in _HOLDING else option
            for option in options(joined)
        ]
    )


_HOLDING = frozenset({Sequence, Mapping, Instance, BoundMethod})


def _widened_option(before: Value | None, joined: Value, depth: int) -> Value:
    if isinstance(joined, Sequence):
        if depth == 0:
            return Sequence(joined.kind, None, ANYTHING)
        mine = before if isinstance(before, Sequence) else None
        earlier = mine.known if mine is not None else ()
        known = tuple(
            _widened(earlier[at] if at < len(earlier) else NEVER, value, depth - 1)
            for at, value in enumerate(joined.known)
        )
        if joined.items is not None:
            return Sequence(joined.kind, known)
        element = mine.element if mine is not None and mine.items is None else NEVER
        return Sequence(joined.kind, None, _widened(element, joined.element, depth - 1), known)
    if isinstance(joined, Mapping):
        if depth == 0:
            return Mapping((), ANYTHING)
        if not isinstance(before, Mapping):
            entries = tuple((key, _widened(NEVER, value, depth - 1)) for key, value in joined.entries)
            return Mapping(entries, _widened(NEVER, joined.element, depth - 1))
        element = joined.element
        for key, value in joined.entries:
            if key not in before.by_key:
                element = join(element, value)
        kept = tuple(
            (key, _widened(value, joined.by_key.get(key, joined.element), depth - 1)) for key, value in before.entries
        )
        return Mapping(kept, _widened(before.element, element, depth - 1))
    if isinstance(joined, Instance) and joined.fields:
        if depth == 0:
            return replace(joined, fields=())
        given = dict(before.fields) if isinstance(before, Instance) else {}
        fields = ((key, _widened(given.get(key, NEVER), value, depth - 1)) for key, value in joined.fields)
        return replace(joined, fields=tuple(fields))
    if isinstance(joined, BoundMethod) and type(joined.receiver) in _HOLDING:
        receiver = before.receiver if isinstance(before, BoundMethod) else NEVER
        return BoundMethod(_widened(receiver, joined.receiver, depth), joined.name)
    return joined
