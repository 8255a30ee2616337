"""What a function returns, in the notation of the catalogue: kinds such as ``tuple[Tensor bool 1,int]``."""

from __future__ import annotations

from collections.abc import Iterable

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.values import Device, DType, Mapping, Nothing, Scalar, Sequence, Tensor, Value, options
from synclint.findings import Confidence

_MOST_ITEMS = 8


def kind_of(value: Value) -> str | None:
    """The kind of a value; None where it has none, or where nothing but guesses speaks for it."""
    kinds = [_kind_of_option(option) for option in options(value)]
    return "|".join(sorted(known)) if len(known := {*filter(None, kinds)}) and None not in kinds else None


def _kind_of_option(option: Value) -> str | None:
    if isinstance(option, Tensor):
        return _of_tensor(option) if option.trust.at_least(Confidence.MEDIUM) else None
    if isinstance(option, Scalar):
        return option.kind if option.kind in ("int", "float", "bool") else "number"
    if isinstance(option, Nothing):
        return "None"
    if isinstance(option, Sequence) and option.kind in ("tuple", "list"):
        if option.kind == "tuple" and option.items and len(option.items) <= _MOST_ITEMS:
            return _with_parts("tuple", (kind_of(item) or "any" for item in option.items))
        item = kind_of(any_item(option))
        return _with_parts(option.kind, [item, "..."] if option.kind == "tuple" else [item])
    if isinstance(option, Mapping) and not option.entries:
        return _with_parts("dict", ["str", kind_of(option.element)])
    return None


def _of_tensor(tensor: Tensor) -> str:
    words = ["Tensor"]
    # That a tensor is on the device is presumed of what a model is given, and complex numbers may have become real.
    if tensor.device in (Device.CPU, Device.EITHER):
        words.append(tensor.device.value)
    if tensor.dtype not in (DType.UNKNOWN, DType.COMPLEX):
        words.append(tensor.dtype.value)
    if tensor.ndim is not None:
        words.append(str(tensor.ndim))
    return " ".join(words)


def _with_parts(outer: str, parts: Iterable[str | None]) -> str | None:
    kinds = list(parts)
    return None if None in kinds else f"{outer}[{','.join(kind for kind in kinds if kind)}]"
