"""What calls hand on of which it is known that it is on the CPU, or where a parameter of the caller is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.paces import counts
from synclint.analysis.domain.values import (
    Array,
    Device,
    DeviceName,
    DTypeName,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.results.facts import UNTOLD, Handed, Slot
from synclint.analysis.state.frames import Arguments

_NO_TENSOR = (Scalar, Text, Nothing, Array, DeviceName, DTypeName)


def handed_in(arguments: Arguments) -> tuple[Handed, ...]:
    """What a call hands on, by the places of its arguments and by their names."""
    by_place = ((str(at), value) for at, value in enumerate(arguments.positional))
    return handed_to((*by_place, *arguments.keywords.items()))


def handed_to(given: Iterable[tuple[str, Value]]) -> tuple[Handed, ...]:
    """What parameters are given, as far as it is known that it is on the CPU."""
    return tuple(one for name, value in given for one in _handed(name, value))


def parameter_behind(tensor: Tensor) -> Slot | None:
    """The parameter of which nothing but its function's text tells that the tensor may be on the device."""
    origin = tensor.origin.beginning() if tensor.origin is not None and tensor.device is Device.UNKNOWN else None
    if origin is None or not origin.parameter or origin.module is None or origin.node is None:
        return None
    node = origin.node
    place = f"{getattr(node, 'lineno', 0)}:{getattr(node, 'col_offset', 0)}"
    return Slot(f"{origin.module.real_path}:{place}", origin.parameter)


def told_by_text(scope: Mapping[str, Value]) -> frozenset[str]:
    """The parameters that may be on the device, as a function's text tells them and nothing else."""
    return frozenset(name for name, value in scope.items() if any(map(_is_of_text, _parts(value))))


def _is_of_text(value: Value) -> bool:
    return any(isinstance(option, Tensor) and parameter_behind(option) is not None for option in options(value))


def _parts(value: Value) -> Iterator[Value]:
    yield value
    for option in options(value):
        if isinstance(option, Sequence):
            yield from option.items if option.items is not None else (any_item(option),)


def _handed(parameter: str, value: Value) -> tuple[Handed, ...]:
    found: list[Handed] = []
    for option in options(value):
        if isinstance(option, Sequence):
            if option.items is None:
                found += _handed(parameter, any_item(option)) or [UNTOLD]
            else:
                items = [_handed(f"{parameter}[{at}]", item) for at, item in enumerate(option.items)]
                is_told = all(items) and not any(one.is_tensor for item in items for one in item)
                found += [Handed(parameter, is_tensor=False)] if is_told else [one for item in items for one in item]
        elif isinstance(option, Tensor):
            of = parameter_behind(option)
            is_told = option.device is Device.CPU or of is not None
            found.append(Handed(parameter, of=of) if is_told else UNTOLD)
        elif isinstance(option, _NO_TENSOR) or (isinstance(option, Unknown) and counts(value)):
            found.append(Handed(parameter, is_tensor=False))  # what counts is a number, whatever it begins with
        else:
            found.append(UNTOLD)
    return () if UNTOLD in found else tuple(dict.fromkeys(found))
