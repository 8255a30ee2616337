"""What an expression was found to be, told as a plain record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from synclint.analysis.domain.descriptions import describe
from synclint.analysis.domain.kinds import kinds_of
from synclint.analysis.domain.tensors import as_tensor, device_tensor_within, tensor_of
from synclint.analysis.domain.values import (
    BoundMethod,
    Device,
    DType,
    Instance,
    Nothing,
    Symbol,
    Tensor,
    Unknown,
    Value,
    options,
)
from synclint.findings import Confidence


@dataclass(frozen=True)
class Conclusion:
    """What an expression was found to be.

    ``is_tensor`` is True for what is a tensor wherever it was followed (and perhaps missing), False for what is
    known to be something else, None where it may be either, or nothing is known. What is said of a tensor is None where
    it is none: ``device`` and ``dtype`` (the family of element types), ``confidence`` (the weakest evidence that it is
    one). ``rank`` counts its dimensions, None where they are unknown. ``holds_device_tensor`` says that it is, or as a
    container holds, a tensor that is not known to be on the CPU. ``instance_of`` is the qualified name of the class of
    an object, None where it may be of several. ``kinds`` are what it may be, each a word (``domain.kinds``).
    ``description`` is what a message says of it, and ``evidence`` the chain of inferences, one sentence each.
    """

    is_tensor: bool | None = None
    device: Device | None = None
    dtype: DType | None = None
    rank: int | None = None
    confidence: Confidence | None = None
    holds_device_tensor: bool = False
    instance_of: str | None = None
    description: str = ""
    evidence: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()


def conclusion(value: Value, evidence: Iterable[str] = ()) -> Conclusion:
    """The conclusion about a value as a plain record."""
    tensor = tensor_of(value)
    return Conclusion(
        is_tensor=_is_tensor(value),
        device=tensor.device.in_use if tensor is not None else None,
        dtype=tensor.dtype if tensor is not None else None,
        rank=tensor.ndim if tensor is not None else None,
        confidence=tensor.trust if tensor is not None else None,
        holds_device_tensor=device_tensor_within(value) is not None,
        instance_of=_class_of(value),
        description=describe(value),
        evidence=tuple(evidence),
        kinds=kinds_of(value),
    )


# Of these only what they return can be a tensor; another library's name may stand for a constant.
_NO_TENSORS = ("builtins.", "torch.", "numpy.", "math.")


def _is_tensor(value: Value) -> bool | None:
    choices = [as_tensor(option) for option in options(value)]
    if all(isinstance(option, (Tensor, Nothing)) for option in choices):
        return any(isinstance(option, Tensor) for option in choices)
    return None if any(map(_may_be_tensor, choices)) else False


def _class_of(value: Value) -> str | None:
    names = {option.name if isinstance(option, Instance) else None for option in options(value)}
    return next(iter(names)) if len(names) == 1 else None


def _may_be_tensor(option: Value) -> bool:
    """Whether a value is a tensor, or of unknown origin and may be one."""
    if isinstance(option, BoundMethod):
        return isinstance(option.receiver, (Unknown, BoundMethod))
    return isinstance(option, (Tensor, Unknown)) or (
        isinstance(option, Symbol) and not option.name.startswith(_NO_TENSORS)
    )
