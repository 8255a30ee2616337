"""What is left of a value between functions: as the key of a summary, and as what a callee is given."""

from __future__ import annotations

from dataclasses import replace
from operator import is_not

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import on_device, with_rank
from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    STRING,
    Alternatives,
    Device,
    Mapping,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Value,
)

# The kinds that these questions are about at all: asking for them first spares the others every further test.
_SIMPLIFIED = frozenset({Scalar, Text, Tensor, Sequence, Mapping, Alternatives})
_GENERALISED = frozenset({Tensor, Alternatives, Sequence})

# Under these a value that may be one of several remembers its keys, by their depths.
_SUMMARIES = ("summary of none", "summary of one", "summary")


def summary_key(value: Value, depth: int = 2) -> Value:
    """The value as a key for function summaries: literals of numbers and deep structure are left out."""
    if type(value) not in _SIMPLIFIED:
        return value
    if isinstance(value, Scalar):
        return value if value.kind == "bool" or value.literal is None else Scalar(value.kind)
    if isinstance(value, Text):
        return STRING if value.usual else value
    if isinstance(value, Tensor):
        return with_rank(value, None) if value.ndim else value
    if isinstance(value, Sequence):
        if depth == 0:
            return Sequence(value.kind)
        if value.items is not None and len(value.items) <= 4:
            return Sequence(value.kind, tuple(summary_key(item, depth - 1) for item in value.items))
        if value.items is None and len(value.first) <= 4:
            first = tuple(summary_key(item, depth - 1) for item in value.first)
            return Sequence(value.kind, None, summary_key(value.element, depth - 1), first)
        return Sequence(value.kind, None, summary_key(any_item(value), depth - 1))
    if isinstance(value, Mapping):
        return Mapping((), summary_key(any_item(value), depth - 1)) if depth else Mapping()
    if isinstance(value, Alternatives):
        kept = vars(value)
        name = _SUMMARIES[depth]
        if name not in kept:
            kept[name] = join_all([summary_key(option, depth) for option in value.options])
        known: Value = kept[name]
        return known
    return value


def generalised(value: Value, depth: int = DEEPEST_NESTING) -> Value:
    """The value as another function sees it: that it may be on the CPU on some path of the caller is left behind."""
    if type(value) not in _GENERALISED:
        return value
    if isinstance(value, Tensor):
        return on_device(value, Device.UNKNOWN) if value.device is Device.EITHER else value
    if isinstance(value, Alternatives):
        choices = tuple(generalised(option, depth) for option in value.options)
        return Alternatives(choices) if _differ(choices, value.options) else value
    if isinstance(value, Sequence) and depth:
        if value.items is not None:
            items = tuple(generalised(item, depth - 1) for item in value.items)
            return replace(value, items=items) if _differ(items, value.items) else value
        element, *first = (generalised(item, depth - 1) for item in (value.element, *value.first))
        changed = _differ((element, *first), (value.element, *value.first))
        return replace(value, element=element, first=tuple(first)) if changed else value
    return value


def _differ(first: tuple[Value, ...], second: tuple[Value, ...]) -> bool:
    """Whether tuples of one length hold other objects: what is the same object stays so, and is known at once."""
    return any(map(is_not, first, second))
