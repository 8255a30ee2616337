"""Tensors that are given where torch needs a number or a size of Python's: the host reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from synclint.analysis.domain.containers import any_item
from synclint.analysis.domain.tensors import device_tensor_of, device_tensor_within
from synclint.analysis.domain.values import (
    UNKNOWN,
    Alternatives,
    Nothing,
    Scalar,
    Sequence,
    Tensor,
    Text,
    Unknown,
    Value,
    options,
)
from synclint.analysis.models.torch_results import Bound
from synclint.analysis.state.frames import Arguments, Frame
from synclint.analysis.syntax.arguments import argument_node
from synclint.analysis.syntax.walk import dotted_name
from synclint.catalog.torch_api import Overload, Parameter
from synclint.findings import Confidence

# Where a size, bound or count is asked for, nearly everything that is given is a number.
SIZES = frozenset({"arange-bound", "split-size", "interpolate-size", "clamp-mixed-bounds", "narrow-start"})


def may_be_number(tensor: Tensor, given: Iterable[Value], frame: Frame) -> bool:
    """Whether what is given for a size may be something else than this tensor, or is one only by where it stands."""
    is_made_by_a_call = tensor.origin is not None and isinstance(tensor.origin.node, ast.Call)
    if tensor.trust is not Confidence.HIGH and not is_made_by_a_call:
        return True
    if tensor.ndim == 0 and is_made_here(tensor, frame):
        return False  # `if longest is None: longest = lengths.max()`: it is this one for all who give nothing
    return any(
        isinstance(option, (Scalar, Unknown))
        for value in _one_by_one(given)
        if isinstance(value, Alternatives) and tensor in value.options
        for option in value.options
    )


def is_made_here(tensor: Tensor, frame: Frame) -> bool:
    """Whether a tensor is what a call gives in the function that hands it on."""
    return frame.function is not None and _is_made_within(tensor, frame.function.node, frame)


def _is_made_in_class(tensor: Tensor, frame: Frame) -> bool:
    """Whether a tensor is what a call gives in the function that hands it on, or in another method of its class."""
    function = frame.function
    if function is None:
        return False
    return _is_made_within(tensor, function.node if function.owner is None else function.owner.node, frame)


def _is_made_within(tensor: Tensor, around: ast.stmt | ast.expr, frame: Frame) -> bool:
    made = tensor.origin
    if made is None or made.module is not frame.module or not isinstance(made.node, ast.Call):
        return False
    return around.lineno <= made.node.lineno <= (around.end_lineno or around.lineno)


def _one_by_one(given: Iterable[Value]) -> Iterator[Value]:
    """What is given, sizes that are written as one tuple each for itself."""
    for value in given:
        yield from (value.items if isinstance(value, Sequence) and value.items is not None else (value,))


def tensor_from_tensors(bound: Bound, node: ast.Call, frame: Frame) -> None:
    """Tensors in the data of which another one is made: each is read for itself."""
    for data in options(bound.get("data", UNKNOWN)):
        if isinstance(data, Sequence) and (tensor := device_tensor_within(data)):
            frame.report("tensor-from-tensors", node, tensor, argument_node(node), known=data)


# Kinds of values of which none is a tensor, nor holds any.
_OF_THE_HOST = frozenset({Scalar, Text, Nothing, Unknown})


def host_parameters(overload: Overload, bound: Bound, arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """Tensors given where torch needs a Python number or size: the host reads them."""
    for index, parameter in enumerate(overload.parameters):
        value = bound.get(parameter.name)
        if value is None or type(value) in _OF_THE_HOST:
            continue
        if "Tensor" in parameter.kind or parameter.kind in ("any", "dtype", "device"):
            continue
        subject = arguments.nodes.get(parameter.name, arguments.nodes.get(index, node))
        sizes = any(word in parameter.kind for word in ("int", "size", "Size"))
        if sizes and (size := _tensor_in_size(value)) is not None and (tensor := device_tensor_of(size)):
            # What may as well be a number, as far as is known, is one as a rule.
            is_doubtful = may_be_number(tensor, (size,), frame)
            at = next((at for at, given in enumerate(arguments.positional) if given is size), None)
            subject = arguments.nodes.get(at, subject) if at is not None else subject
            subject = _element(subject, value, size)
            frame.report("tensor-as-size", node, tensor, subject, Confidence.LOW if is_doubtful else None)
        elif not sizes and takes_a_number(parameter):
            if tensor := device_tensor_of(value):
                is_doubtful = _is_one_graph(frame) or is_rather_a_number(value, tensor, frame)
                frame.report("tensor-as-number", node, tensor, subject, Confidence.LOW if is_doubtful else None)


def takes_a_number(parameter: Parameter) -> bool:
    """Whether what is given for a parameter is needed as a number, that is not a size."""
    return any(word in parameter.kind for word in ("number", "float"))


def is_rather_a_number(value: Value, tensor: Tensor, frame: Frame) -> bool:
    """Whether what is given where a number is needed may be one, besides a tensor that is not made nearby."""
    return any(isinstance(option, Scalar) for option in options(value)) and not _is_made_in_class(tensor, frame)


def _element(node: ast.AST, sizes: Value, size: Value) -> ast.AST:
    """Where one of several sizes is written, if they are written one by one."""
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(sizes, Sequence) and sizes.items is not None:
        at = next((index for index, item in enumerate(sizes.items) if item is size), None)
        if at is not None and len(node.elts) == len(sizes.items):
            return node.elts[at]
    return node


def _is_one_graph(frame: Frame) -> bool:
    """Whether the function is compiled with ``fullgraph=True``.

    The value of a tensor on the device would break the graph there, that of one on the CPU does not.
    """
    node = frame.function.node if frame.function is not None else None
    for decorator in getattr(node, "decorator_list", ()):
        if isinstance(decorator, ast.Call) and (dotted_name(decorator.func) or "").rpartition(".")[2] == "compile":
            for keyword in decorator.keywords:
                if keyword.arg == "fullgraph" and isinstance(keyword.value, ast.Constant) and keyword.value.value:
                    return True
    return False


def _tensor_in_size(value: Value) -> Value | None:
    """The size, or the one among several, that may be a tensor on the device."""
    if device_tensor_of(value) is not None:
        return value
    for option in options(value):
        if not isinstance(option, Sequence):
            continue
        if option.items is None:
            # That some of many elements are numbers says nothing against the tensor among them.
            if (tensor := device_tensor_of(any_item(option))) is not None:
                return tensor
        else:
            for item in option.items:
                if device_tensor_of(item) is not None:
                    return item
    return None
