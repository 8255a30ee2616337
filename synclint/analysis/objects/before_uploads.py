"""Where values are before they are handed to the device: on the CPU, unless something else tells where they are."""

from __future__ import annotations

import ast
from dataclasses import replace

from synclint.analysis.domain.evidence import written_at
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import on_device
from synclint.analysis.domain.values import (
    DEEPEST_NESTING,
    Alternatives,
    BoundMethod,
    ClassValue,
    Device,
    FunctionValue,
    Instance,
    Mapping,
    Nothing,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Text,
    Unknown,
    Value,
)
from synclint.analysis.state.usage import Uploads
from synclint.findings import Confidence

ON_HOST = Tensor(Device.CPU, trust=Confidence.MEDIUM, pinned=None)
_BATCH = Sequence("batch", None, ON_HOST)
# Most values are of these kinds, and hold no tensor.
_NOWHERE = frozenset({Scalar, Text, Nothing, Instance, FunctionValue, ClassValue, Symbol})


def may_be_anywhere(value: Value, depth: int = 2) -> bool:
    """Whether a value is unknown, or holds a tensor of which it is not known where it is."""
    if type(value) in _NOWHERE:
        return False
    if isinstance(value, Tensor):
        return value.device is Device.UNKNOWN or value.device is Device.EITHER
    if isinstance(value, Sequence) and depth:
        return any(may_be_anywhere(item, depth - 1) for item in (*value.known, value.element))
    if isinstance(value, Alternatives):
        return any(may_be_anywhere(option, depth) for option in value.options)
    if isinstance(value, Mapping) and depth:
        return any(may_be_anywhere(item, depth - 1) for item in (value.element, *value.by_key.values()))
    return isinstance(value, (Unknown, BoundMethod))


def was_told_where(tensor: Tensor) -> bool:
    """Whether who made a tensor was given a place for it, though nothing tells which: it need not be the CPU.

    What is made where another tensor is (``device=x.device``) is wherever that is.
    """
    chain = tensor.origin.chain() if tensor.origin is not None else ()
    calls = (written_at(link) for link in chain if isinstance(link.node, ast.Call))
    made = (call for call in calls if isinstance(call, ast.Call))
    given = (keyword.value for call in made for keyword in call.keywords if keyword.arg == "device")
    return any(isinstance(one, ast.Name) for one in given)


def before_upload(value: Value, name: str, uploads: Uploads) -> Value:
    """What is handed to the device later: tensors of which nothing else tells where they are are on the CPU."""
    if isinstance(value, (Unknown, BoundMethod)):
        return ON_HOST if name in uploads.tensors else _BATCH if name in uploads.batches else value
    return _on_host(value, DEEPEST_NESTING)


def _on_host(value: Value, depth: int) -> Value:
    if isinstance(value, Tensor):
        is_open = value.device is Device.EITHER or (value.device is Device.UNKNOWN and not was_told_where(value))
        return on_device(value, Device.CPU) if is_open else value
    if isinstance(value, Alternatives):
        # What is unknown beside a tensor is that tensor on another way.
        has_tensor = any(isinstance(option, Tensor) for option in value.options)
        kept = [option for option in value.options if not (has_tensor and isinstance(option, (Unknown, BoundMethod)))]
        return join_all(_on_host(option, depth) for option in kept)
    if isinstance(value, Sequence) and depth:
        if value.items is not None:
            return replace(value, items=tuple(_on_host(item, depth - 1) for item in value.items))
        element, *first = (_on_host(item, depth - 1) for item in (value.element, *value.first))
        return replace(value, element=element, first=tuple(first))
    if isinstance(value, Mapping) and depth:
        entries = tuple((key, _on_host(held, depth - 1)) for key, held in value.entries)
        return Mapping(entries, _on_host(value.element, depth - 1))
    return value
