"""What an index is made of: slices, numbers, masks, positions, each with what it stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from synclint.analysis.calls.implicit_scalar_reads import is_made_here
from synclint.analysis.domain.containers import (
    any_item,
)
from synclint.analysis.domain.tensors import device_tensor_of, tensor_of, tensors_in, weaker
from synclint.analysis.domain.values import (
    UNKNOWN,
    UNKNOWN_TRUTH,
    Array,
    Device,
    DType,
    Instance,
    Nothing,
    Scalar,
    Sequence,
    Symbol,
    Tensor,
    Unknown,
    Value,
    is_of_unknown,
    options,
)
from synclint.analysis.state.frames import Frame
from synclint.analysis.syntax.walk import compares_elements, last_name
from synclint.catalog.names import names_in
from synclint.findings import Confidence


@dataclass(frozen=True)
class Part:
    """One element of an index: ``kind`` says how it selects, ``tensor`` is the index tensor or the deciding bound.

    ``known`` is what is known of positions that are on the host; ``is_guessed`` says that nothing but the way it is
    written tells of a tensor.
    """

    kind: str
    node: ast.AST
    tensor: Tensor | None = None
    known: Value = UNKNOWN
    is_guessed: bool = False


def index_parts(node: ast.Subscript, frame: Frame) -> list[Part]:
    found: list[Part] = []
    elements = index_elements(node)
    for element in elements:
        if isinstance(element, ast.Starred):
            whole = frame.evaluate(node.slice)
            _report_held_bounds(whole, node.slice, frame)
            return list(_index_parts(whole, node.slice, alone=True))
        if isinstance(element, ast.Slice):
            slice_bounds(element, frame)
            found.append(Part("slice", element))
        else:
            value = frame.evaluate(element)
            _report_held_bounds(value, element, frame)
            _report_listed_tensors(value, element, frame, is_one_of_several=len(elements) > 1)
            found += _index_parts(value, element, alone=len(elements) == 1)
    return found


def _report_held_bounds(value: Value, node: ast.expr, frame: Frame) -> None:
    """Report the bounds of a slice that was made before, by itself or within a tuple: ``rows = slice(start, end)``."""
    for option in options(value):
        if isinstance(option, Sequence) and option.kind == "tuple":
            for item in option.known:
                _report_held_bounds(item, node, frame)
        bounds = option.given("bounds") if isinstance(option, Instance) and option.name == "slice" else None
        for bound in bounds.known if isinstance(bounds, Sequence) else ():
            if tensor := device_tensor_of(bound):
                frame.report("slice-bound", node, tensor)


def _report_listed_tensors(value: Value, node: ast.expr, frame: Frame, *, is_one_of_several: bool) -> None:
    """Report positions that a list holds one by one, each in a tensor on the device: ``x[[first.argmax(), 2]]``.

    The list is made a tensor for that, or stands for a tuple where it is the only index: either way, each of them is
    read. Those of which a tensor is made hold one number each
    (torch/csrc/autograd/python_variable_indexing.cpp, ``sequenceToVariable`` and ``wrapTuple``).
    """
    for option in options(value):
        held = options(any_item(option)) if isinstance(option, Sequence) and option.kind == "list" else ()
        for one in held:
            if not isinstance(one, Tensor) or not one.may_be_on_device or one.dtype is DType.BOOL:
                continue
            if one.ndim == 0 or (one.ndim is None and one.dtype is DType.INT and is_one_of_several):
                frame.report("tensor-from-tensors", node, replace(one, ndim=0), known=option)
                return


def slice_bounds(node: ast.Slice, frame: Frame) -> list[Value | None]:
    """The bounds of a slice and its step, None for one that is not given."""
    values: list[Value | None] = []
    for bound in (node.lower, node.upper, node.step):
        value = frame.evaluate(bound) if bound is not None else None
        if bound is not None and value is not None and (tensor := device_tensor_of(value)):
            if not _is_whole_part(bound, tensor):
                frame.report("slice-bound", bound, tensor)
        values.append(value)
    return values


def _is_whole_part(node: ast.expr, presumed: Tensor) -> bool:
    """Whether what is presumed to be a tensor is all that something holds under a name: ``batch.count``.

    A tensor in a batch has a row for each sample, and a bound is a single number.
    """
    if presumed.trust is Confidence.HIGH or presumed.ndim is not None:
        return False
    key = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(node, ast.Attribute) or (isinstance(key, ast.Constant) and isinstance(key.value, str))


def index_elements(node: ast.Subscript) -> list[ast.expr]:
    """What stands between the brackets of a subscript, one by one."""
    index = node.slice
    return index.elts if isinstance(index, ast.Tuple) and index.elts else [index]


def _index_parts(value: Value, node: ast.expr, alone: bool) -> Iterator[Part]:
    if isinstance(value, Sequence) and value.kind == "tuple" and alone:
        if value.items is None:
            inner = tensor_of(any_item(value))
            if inner is None and isinstance(any_item(value), Scalar):
                yield Part("integers", node)
                return
            if inner is None and isinstance(any_item(value), Array):  # as `np.nonzero(x)` gives, one for each dimension
                yield from _index_parts(any_item(value), node, False)
                return
            yield Part(_tensor_kind(inner, node), node, inner) if inner is not None else Part("unknown", node)
            return
        for item in value.items:
            yield from _index_parts(item, node, False)
        return
    tensor = next((tensor for tensor in tensors_in(value) if tensor.dtype is DType.BOOL), tensor_of(value))
    if tensor is not None:
        yield Part(_tensor_kind(tensor, node), node, _as_mask(tensor, node))
        return
    is_mask = UNKNOWN_TRUTH in options(value) or _is_meant_as_mask(node)
    if is_mask and all(map(_is_unknown_index, options(value))):
        if not isinstance(value, Nothing):
            yield Part("mask", node, Tensor(dtype=DType.BOOL, trust=Confidence.MEDIUM), is_guessed=True)
            return
    if (listed := _listed_positions(value)) is not None:
        yield Part("slice", node)
        yield Part(_tensor_kind(listed, node), node, listed)
        return
    # What may as well be a number is one as a rule.
    for option in sorted(options(value), key=lambda option: not isinstance(option, Scalar)):
        if isinstance(option, Nothing):
            yield Part("new", node)
        elif isinstance(option, Scalar):
            yield Part("slice" if option.kind == "bool" else "integer", node)
        elif isinstance(option, Sequence) and option.kind != "slice":
            kind = "slice" if option.items == () else "host" if _holds_positions(option) else "unknown"
            yield Part(kind, node, known=option)
        elif isinstance(option, Array):
            yield Part("integer" if option.ndim == 0 else "host", node, known=option)
        elif isinstance(option, Instance) and option.name == "range":
            yield Part("host", node, known=option)
        elif isinstance(option, Instance) and option.name == "slice":
            yield Part("slice", node)
        elif isinstance(option, Symbol) and option.name == "builtins.Ellipsis":
            yield Part("ellipsis", node)
        else:
            yield Part("ellipsis" if _is_ellipsis(node) else "unknown", node)
        return


def _is_unknown_index(value: Value) -> bool:
    """Whether nothing is known of an index: an attribute of something unknown is hardly ever a method."""
    return isinstance(value, (Unknown, Nothing)) or is_of_unknown(value)


def _listed_positions(value: Value) -> Tensor | None:
    """The positions in a list that stands for a tuple: ``x[[positions, slice(None)]]``."""
    if not isinstance(value, Sequence) or value.kind != "list":
        return None
    held = options(any_item(value))
    stands_for_tuple = any(isinstance(option, Instance) and option.name == "slice" for option in held)
    return tensor_of(any_item(value)) if stands_for_tuple else None


def _holds_positions(value: Sequence) -> bool:
    """Whether a list selects by its elements; one that has slices among them stands for a tuple."""
    return not any(
        isinstance(option, (Tensor, Nothing, Symbol)) or (isinstance(option, Instance) and option.name == "slice")
        for option in options(any_item(value))
    )


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _tensor_kind(tensor: Tensor | None, node: ast.AST) -> str:
    if tensor is None:
        return "unknown"
    if tensor.dtype is DType.BOOL:
        return "scalar-mask" if tensor.ndim == 0 else "mask"
    if tensor.dtype is DType.UNKNOWN and tensor.ndim != 0 and _is_meant_as_mask(node):
        return "mask"
    return "scalar" if tensor.ndim == 0 else "indices"


# What gives a mask of another shape.
_RESHAPED = names_in("torch", "reshaping")


def _is_meant_as_mask(node: ast.AST) -> bool:
    """Whether an index is called a mask, or inverted, which makes no sense of positions."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        return True
    if isinstance(node, ast.Compare):
        return compares_elements(node)
    return _called(node).lstrip("_") in _MASKS


def _called(node: ast.AST) -> str:
    """What that is called of which an index is a part, or which it is in another shape: a name, or a key."""
    while (whole := _reshaped(node)) is not None:
        node = whole
    return _key(node) or last_name(node)


def _key(node: ast.AST) -> str | None:
    """The key under which a dictionary is asked for something, None for other expressions."""
    key = node.slice if isinstance(node, ast.Subscript) else None
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def _reshaped(node: ast.AST) -> ast.AST | None:
    """What an expression gives a part of, or gives in another shape; None for other expressions."""
    if isinstance(node, ast.Subscript):
        return node.value if _key(node) is None else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RESHAPED:
        return node.func.value
    return None


_MASKS = names_in("judged", "masks")


def _as_mask(tensor: Tensor, node: ast.AST) -> Tensor:
    """A tensor that is a mask by the way it is written only is weaker evidence."""
    if tensor.dtype is DType.UNKNOWN and tensor.ndim != 0 and _is_meant_as_mask(node):
        return replace(tensor, dtype=DType.BOOL, trust=weaker(tensor.trust, Confidence.MEDIUM))
    return tensor


def is_host_index(part: Part, container: Tensor, frame: Frame) -> bool:
    """Whether positions are on the host, or may be there; with what is indexed they would be there together."""
    if is_met_on_the_host(part, container):
        return False
    if part.kind != "indices":
        return part.kind == "host"
    tensor = part.tensor
    if tensor is None or (tensor.dtype is DType.UNKNOWN and not tensor.ndim):
        return False
    # That a batch may be on the CPU is presumed of it: where it is used as it is, somebody has brought it. What an
    # attribute has been at first, it is no longer by the time that it is used.
    may_be_there = tensor.device is Device.EITHER and tensor.trust is Confidence.HIGH and is_made_here(tensor, frame)
    return tensor.device is Device.CPU or (may_be_there and container.device is not Device.EITHER)


def is_met_on_the_host(part: Part, container: Tensor | Unknown) -> bool:
    """Whether an index is brought to the host between the brackets: nobody does that for what is on the device."""
    if isinstance(container, Tensor) and container.device not in (Device.UNKNOWN, Device.EITHER):
        return False
    call = part.node
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("cpu", "numpy")


_POSITIONS = names_in("judged", "positions")


def is_of_positions(part: Part) -> bool:
    """Whether an index holds positions, by its elements or by what it is called: a mask is called otherwise."""
    if part.tensor is None or part.tensor.dtype is DType.INT:
        return part.tensor is not None
    words = _called(part.node).lower().split("_")
    is_of_unknown_elements = part.tensor.dtype is DType.UNKNOWN
    is_mask = any(word.startswith("mask") for word in words)
    return is_of_unknown_elements and not _POSITIONS.isdisjoint(words) and not is_mask
