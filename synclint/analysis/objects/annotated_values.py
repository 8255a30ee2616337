"""What annotations leave of the values that parameters are given, attributes hold and functions return."""

from __future__ import annotations

import ast
from dataclasses import replace
from operator import is_not

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.evidence import written_at
from synclint.analysis.domain.lattice import join_all
from synclint.analysis.domain.tensors import weaker
from synclint.analysis.domain.values import (
    BOOLEAN,
    Alternatives,
    BoundMethod,
    Device,
    DType,
    Instance,
    Mapping,
    Nothing,
    Origin,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    is_known,
    is_of_unknown,
    options,
)
from synclint.findings import Confidence


def as_one_number(value: Value) -> Value:
    """What is given where a number is meant: a tensor there holds one number, and has no dimensions."""
    if isinstance(value, Tensor):
        return replace(value, ndim=0) if value.ndim is None else value
    if isinstance(value, Alternatives):
        return join_all(map(as_one_number, value.options))
    return value


_HOLDING_MAPPINGS = frozenset({Mapping, Alternatives})


def as_annotated(value: Value, said: Value) -> Value:
    """Of the kinds that an argument may be, those that its parameter's annotation names, where there are any.

    An instance may be a tensor all the same, by its class, and a batch is a dictionary as well as a list; what a
    comparison of tensors gives is passed as a ``bool`` by many. A tensor where a dictionary is asked for is none: it
    was taken from a dictionary that is annotated too simply. Where one annotation names a tensor, and the next one an
    ``int``, somebody counts with it, and it is hardly ever on the device, if nothing else tells that. Nor is it a
    tensor where a ``bool`` is asked for, if nothing but a caller's own text says so.

    What a loader gives may be an object of the project's, which then tells what its attributes are. What is unknown in
    a list or a dictionary, or beside a number, is what the annotation says of it.
    """
    kind = type(value)
    if kind is Mapping and isinstance(said, Mapping) and isinstance(value, Mapping):
        entries = tuple((key, _as_declared(held, said.get(key))) for key, held in value.entries)
        element = _as_declared(value.element, said.element)
        is_same = element is value.element and all(
            one[1] is held[1] for one, held in zip(entries, value.entries, strict=True)
        )
        return value if is_same else Mapping(entries, element)
    if isinstance(value, Sequence) and value.kind == "batch" and isinstance(said, Instance) and said.record is not None:
        return join_all([value, said])
    if kind is not Tensor and kind is not Sequence and kind is not Alternatives:
        return value
    if type(said) in _HOLDING_MAPPINGS and _is_of(Mapping, said) and _is_of(Tensor, value):
        return said
    if isinstance(said, Mapping) and isinstance(value, Sequence) and value.kind != "batch":
        return said
    if isinstance(value, Tensor):
        if value.device is Device.UNKNOWN and isinstance(said, Tensor) and said.device is Device.CPU:
            return replace(value, device=Device.CPU)
        if value.dtype is DType.UNKNOWN and isinstance(said, Tensor) and said.dtype is DType.BOOL:
            return replace(value, dtype=DType.BOOL, trust=weaker(value.trust, said.trust))
        is_doubtful = (_is_of_integers(said) and _is_hardly_on_device(value)) or (
            said == BOOLEAN and _is_presumed(value)
        )
        return replace(value, trust=Confidence.LOW) if is_doubtful else value
    if isinstance(value, Sequence) and isinstance(said, Sequence) and is_known(any_item(said)):
        return _holding_as_annotated(value, said)
    if not isinstance(value, Alternatives):
        return value
    if (
        isinstance(said, Sequence)
        and said.kind == "iterator"
        and any(isinstance(one, Instance) for one in value.options)
    ):
        return join_all([option for option in value.options if option != said])  # any object may be iterated over
    if meant := [option for option in value.options if _is_object_of(said, option)]:
        return join_all([*meant, *(option for option in value.options if isinstance(option, Nothing))])
    kinds = tuple({type(option) for option in options(said)} - {Nothing})
    if Unknown in kinds or Instance in kinds or not any(isinstance(option, kinds) for option in value.options):
        return value
    if any(isinstance(option, Sequence) and option.kind == "batch" for option in value.options):
        return value
    is_of_host = all(isinstance(option, (Scalar, Text, Nothing)) for option in options(said))
    return join_all(
        said if isinstance(option, Unknown) and is_of_host else _held_as_annotated(option, said)
        for option in value.options
        if isinstance(option, (*kinds, Nothing, Unknown)) or (said == BOOLEAN and _is_one_truth(option))
    )


def _is_hardly_on_device(tensor: Tensor) -> bool:
    """Whether it is on the CPU on some paths, or a tensor by what a signature or a body says, made by nothing seen."""
    if tensor.device is not Device.UNKNOWN:
        return tensor.device is Device.EITHER
    first = tensor.origin.beginning() if tensor.origin is not None else None
    if first is None or isinstance(first.node, ast.expr):
        return first is None and tensor.trust is Confidence.HIGH
    return tensor.trust is Confidence.HIGH or _is_unannotated(first)


def _is_presumed(tensor: Tensor) -> bool:
    """Whether it is a parameter that a function hands on as it is, of which nothing but its text says what it is."""
    made = tensor.origin
    return made is not None and bool(made.parameter) and made.parent is None and _is_unannotated(made)


def _is_unannotated(origin: Origin) -> bool:
    """Whether evidence is that of a parameter without an annotation, of which a body tells that it is a tensor."""
    function = written_at(origin)
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    given = function.args
    return any(
        one.arg == origin.parameter and one.annotation is None
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)
    )


def _is_of_integers(said: Value) -> bool:
    """Whether an annotation names integers, or lists of them, and nothing else but None."""
    named = [option for option in options(said) if not isinstance(option, Nothing)]
    return bool(named) and all(
        _is_of_integers(any_item(option))
        if isinstance(option, Sequence)
        else isinstance(option, Scalar) and option.kind == "int"
        for option in named
    )


def _is_object_of(said: Value, option: Value) -> bool:
    """Whether a value is an object of a class of the project that an annotation names, or of a subclass."""
    return any(
        one.record in option.record.ancestors
        for one in options(said)
        if isinstance(one, Instance) and one.record is not None
        if isinstance(option, Instance) and option.record is not None
    )


def _as_declared(held: Value, said: Value) -> Value:
    """What a container holds, by its annotation: that is all there is to tell where nothing else is known.

    What has dimensions is none of the integers that one is said to hold: it is meant for another function. What may
    have some is hardly ever one of them, wherever it is.
    """
    if isinstance(held, Tensor) and held.ndim != 0 and _is_of_integers(said):
        return said if held.ndim else replace(held, trust=Confidence.LOW)
    has_more = any(is_known(option) and not is_of_unknown(option) for option in options(held))
    return as_annotated(held, said) if has_more or not is_known(said) else said


def _held_as_annotated(option: Value, said: Value) -> Value:
    """One of several things that are given; what a list or a tuple among them holds is what it is said to hold."""
    return as_annotated(option, said) if isinstance(option, Sequence) else option


def _holding_as_annotated(value: Sequence, said: Sequence) -> Value:
    """A list of what its annotation names; the same object where that is what it holds."""
    meant = any_item(said)
    if value.items is None:
        held = (value.element, *value.first)
        element, *first = kept = [_as_declared(item, meant) for item in held]
        return replace(value, element=element, first=tuple(first)) if any(map(is_not, kept, held)) else value
    each = said.items if said.items is not None and len(said.items) == len(value.items) else None
    items = tuple(map(_as_declared, value.items, each or (meant,) * len(value.items)))
    return replace(value, items=items) if any(map(is_not, items, value.items)) else value


def tells_nothing(value: Value) -> bool:
    """Whether nothing is known of what a function returns: nor is it of an attribute that nobody is seen to write."""
    if not isinstance(value, BoundMethod):
        return isinstance(value, Unknown)
    owner = value.receiver
    return tells_nothing(owner) or (isinstance(owner, Instance) and owner.record is not None)


def as_returned(value: Value, said: Value) -> Value:
    """Of what a function was found to return, what is beside a tensor where it is annotated with numbers or texts.

    Where nothing but a tensor was found, the annotation is as wrong as ``float`` for a loss is. Nobody writes a list of
    numbers for a tensor: what was taken for one where that is annotated is such a list.
    """
    if _holds_numbers(said):
        found = [option for option in options(value) if not isinstance(option, Tensor)]
        has_list = any(isinstance(option, (Sequence, Mapping)) for option in found)
        return value if len(found) == len(options(value)) else join_all(found if has_list else (said, *found))
    is_of_host = all(isinstance(option, (Scalar, Text, Nothing)) for option in options(said))
    if not is_of_host or not isinstance(value, Alternatives) or isinstance(said, Nothing):
        return value
    if not any(isinstance(option, (Scalar, Text)) for option in value.options):
        return value
    return join_all(option for option in value.options if isinstance(option, (Scalar, Text, Nothing, Unknown)))


def _holds_numbers(said: Value) -> bool:
    """Whether an annotation names containers of numbers or texts, and nothing else but None."""
    named = [option for option in options(said) if not isinstance(option, Nothing)]
    return bool(named) and all(
        isinstance(option, (Sequence, Mapping))
        and all(isinstance(item, (Scalar, Text)) for item in options(any_item(option)))
        for option in named
    )


def _is_one_truth(value: Value) -> bool:
    return isinstance(value, Tensor) and value.dtype is DType.BOOL and value.ndim == 0


def _is_of(kind: type[Mapping] | type[Tensor], value: Value) -> bool:
    """Whether a value is of this kind, where it is known and not None."""
    found = [option for option in options(value) if not isinstance(option, (Nothing, Unknown))]
    return bool(found) and all(isinstance(option, kind) for option in found)
