"""What iterating over abstract values gives."""

from __future__ import annotations

from dataclasses import replace

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import weaker, with_rank
from synclint.analysis.domain.values import (
    STRING,
    UNKNOWN,
    Array,
    BoundMethod,
    DType,
    Instance,
    Mapping,
    Sequence,
    Tensor,
    Text,
    Value,
    options,
)
from synclint.analysis.objects import attributes, records
from synclint.findings import Confidence


def iterate(value: Value) -> Value:
    """What a loop over a value binds its target to."""
    results: list[Value] = []
    for option in options(value):
        if isinstance(option, Tensor):
            results.append(_row(option))
        elif isinstance(option, Sequence):
            results.append(any_item(option))
        elif isinstance(option, Array):
            results.append(option.row())
        elif isinstance(option, (Mapping, Text)) or is_dictionary_of_attributes(option):
            results.append(STRING)
        elif isinstance(option, Instance):
            wrapped = option.given("iterable")
            held = records.items_given(option)
            if held is not None:
                results.append(held)
            else:
                results.append(iterate(wrapped) if wrapped is not None else attributes.iterated(option))
        else:
            results.append(UNKNOWN)
    return join_all(results)


def is_dictionary_of_attributes(value: Value) -> bool:
    """Whether a value is what ``vars`` gives of something: its keys are names."""
    return isinstance(value, BoundMethod) and value.name == "__dict__"


def _row(tensor: Tensor) -> Tensor:
    """An element of a tensor; integers are counts, lengths or indices as a rule, one number each."""
    if tensor.ndim:
        return with_rank(tensor, tensor.ndim - 1)
    if tensor.dtype is DType.INT:
        return replace(tensor, ndim=0, trust=weaker(tensor.trust, Confidence.MEDIUM))
    return with_rank(tensor, None)
