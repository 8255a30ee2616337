"""Modules that stand around another one: they call it with what they are given, and keep it as ``.module``."""

from __future__ import annotations

from collections.abc import Iterable

from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import on_device
from synclint.analysis.domain.values import Alternatives, Device, Instance, Mapping, Sequence, Tensor, Value
from synclint.catalog.names import facts_of

# The parameter of the constructor by which each of them is given its module.
_GIVEN_AS = facts_of("modules", "wrapping")
# These bring what they are given to the device of the module.
_BRINGING = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})


def wrapped_module(instance: Instance) -> Value | None:
    """The module that a wrapper calls; None for what is no wrapper, or of which it is not known."""
    parameter = _GIVEN_AS.get(instance.name)
    return instance.given(parameter) if parameter is not None else None


def given_to_wrapped(instance: Instance, values: Iterable[Value]) -> list[Value]:
    """What the module of a wrapper gets of what the wrapper is given."""
    return [_brought(value) if instance.name in _BRINGING else value for value in values]


def _brought(value: Value) -> Value:
    if isinstance(value, Tensor):
        return on_device(value, Device.DEVICE)
    if isinstance(value, Sequence):
        items = None if value.items is None else tuple(map(_brought, value.items))
        return Sequence(value.kind, items, _brought(value.element), tuple(map(_brought, value.first)))
    if isinstance(value, Mapping):
        return Mapping(tuple((key, _brought(one)) for key, one in value.entries), _brought(value.element))
    if isinstance(value, Alternatives):
        return join_all(map(_brought, value.options))
    return value
